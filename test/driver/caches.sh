#!/bin/sh
# The level of caches is kept over calls and files.
. "${top_srcdir:?}/test/lib.sh"

for profile in slow fast; do
    for ranks in 2 4; do
        mkdir "$scratch/d"
        export CACHES_PROFILE="$top_srcdir/test/driver/profiles/cache-$profile.json"
        check_mpi "$profile, $ranks ranks" $ranks "$top_builddir/test/driver/caches" "$scratch/d" ufs
        rm -r "$scratch/d"
    done
done
done_testing
