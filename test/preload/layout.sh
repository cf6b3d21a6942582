#!/bin/sh
# Is a datatype contiguous?
. "${top_srcdir:?}/test/lib.sh"

check_mpi "datatypes" 1 "$top_builddir/test/preload/test_layout"
done_testing
