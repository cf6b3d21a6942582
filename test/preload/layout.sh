#!/bin/sh
# What needs no other MPI than ours: is a datatype contiguous; the preload library on the MPICH
# that has the driver itself.
. "${top_srcdir:?}/test/lib.sh"

check_mpi "datatypes" 1 "$top_builddir/test/preload/test_layout"
mkdir "$scratch/d"
check_mpi "calls" 2 "$top_builddir/test/preload/calls" "$scratch/d/file"
also_preload=$top_builddir/preload/libromio-autotune.so
over ufs check_mpi "calls, preloaded" 2 "$top_builddir/test/preload/calls" "autotune:$scratch/d/file"
done_testing
