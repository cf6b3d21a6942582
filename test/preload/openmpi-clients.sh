#!/bin/sh
# clients.sh with programs of Open MPI.

host=openmpi
. "${top_srcdir:?}/test/preload/clients.sh"
