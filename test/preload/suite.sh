#!/bin/sh
# The I/O test programs of ROMIO and MPICH with an MPI library that was not rebuilt: each has to do
# with the preload library, through autotune or not, what it does without; with Open MPI, whose own
# MPI-IO is no ROMIO, not less.

. "${top_srcdir:?}/test/preload/host.sh"
[ "$host" = mpich ] || export suite_other=yes
[ $same_version = yes ] || export suite_lenient=yes
export suite_build="$top_builddir/test/preload/$host-suite" suite_library="$library" SUITE_FS=ufs
mkdir -p "$suite_build"
. "$top_srcdir/test/driver/suite/suite.sh"
