#!/bin/sh
# Decisions are made for the calls that are still expected.
. "${top_srcdir:?}/test/lib.sh"

export LIFE_PROFILE="$top_srcdir/test/driver/profiles/cache-many.json"
for ranks in 2 4; do
    mkdir "$scratch/d"
    check_mpi "$ranks ranks" $ranks "$top_builddir/test/driver/life" "$scratch/d" ufs
    rm -r "$scratch/d"
done
done_testing
