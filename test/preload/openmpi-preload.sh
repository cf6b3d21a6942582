#!/bin/sh
# preload.sh with programs of Open MPI.

host=openmpi
. "${top_srcdir:?}/test/preload/preload.sh"
