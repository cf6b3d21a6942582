#!/bin/sh
# suite.sh with programs of Open MPI.

host=openmpi
. "${top_srcdir:?}/test/preload/suite.sh"
