#!/bin/sh
# Striping that Lustre refuses, and "lustre:" where there is no Lustre, end
# ROMIO with SIGFPE in the first collective write; through autotune, even where it is
# switched off, the file gets the default layout, or is written by the plain driver and
# the status says why.
. "${top_srcdir:?}/test/lib.sh"

bin=$top_builddir/test/driver

check_mpi "a stripe unit of 100000" 4 env ROMIO_AUTOTUNE=off STANDIN="lustre:$scratch" \
    LD_PRELOAD="$top_builddir/test/grounds/standin/.libs/standin.so" "$bin/fallback" "$scratch" lustre
check_mpi "no Lustre" 4 "$bin/fallback" "$scratch" ufs
done_testing
