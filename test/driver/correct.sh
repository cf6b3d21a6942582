#!/bin/sh
# Profiles that are wrong are corrected while a file is written.
. "${top_srcdir:?}/test/lib.sh"

profiles=$top_srcdir/test/driver/profiles
for ranks in 4 8; do
    for case in "free-storage storage 16" "slow-network communication 0.0625"; do
        # shellcheck disable=SC2086
        set -- $case
        mkdir "$scratch/d"
        export CORRECT_PROFILE="$profiles/$1.json" CORRECT_SCALE="$3"
        check_mpi "$1, $ranks ranks" $ranks "$top_builddir/test/driver/correct" "$scratch/d" "$2"
        rm -r "$scratch/d"
    done
done
done_testing
