#!/bin/sh
# The I/O test programs of ROMIO and MPICH with Debian's own MPICH: each has to do with the
# preload library, through autotune or not, what it does without.

: "${top_srcdir:?}" "${top_builddir:?}"
if ! MPIEXEC=$(command -v mpiexec.mpich) || ! MPICC=$(command -v mpicc.mpich); then
    echo "ok 1 - Debian's MPICH # SKIP it is not installed"
    echo "1..1"
    exit
fi
export MPICC MPIEXEC suite_build="$top_builddir/test/preload/suite"
export suite_library="$top_builddir/preload/libromio-autotune.so" SUITE_FS=ufs
mkdir -p "$suite_build"
. "$top_srcdir/test/driver/suite/suite.sh"
