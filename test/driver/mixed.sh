#!/bin/sh
# Seeded programs of mixed operations and messages: none hangs, all bytes are right.
# AUTOTUNE_FULL=1: 10000 of them instead of 500.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

watchdog=3000
if [ -n "${AUTOTUNE_FULL-}" ]; then times=20; else times=1; fi
first=1

# run DESCRIPTION FS RANKS COUNT: the next COUNT seeds; after one that hangs, those
# that follow it, until a few have
run()
{
    end=$((first + $4)) hangs=0
    seeds "$4"
    while [ $first -lt $end ] && [ $hangs -lt 5 ]; do
        MIXED_FIRST=$first MIXED_COUNT=$((end - first))
        export MIXED_FIRST MIXED_COUNT
        mkdir "$scratch/d"
        over "$2" check_mpi "$2, $3 ranks, $1" "$3" "$top_builddir/test/driver/mixed" "$scratch/d" "$2"
        rm -r "$scratch/d"
        hung=$(sed -n 's/^hung in seed \([0-9]*\)$/\1/p' "$scratch/.tap.log" | head -n 1)
        first=$((${hung:-$((end - 1))} + 1))
        [ -z "$hung" ] || hangs=$((hangs + 1))
    done
    first=$end
}

for fs in ufs nfs gpfs lustre; do
    MIXED_PREFIX=$fs:
    export MIXED_PREFIX
    run "the wrapped driver" $fs 4 5
    unset MIXED_PREFIX
    run "automatic" $fs 4 $((50 * times))
    with_profile "$(forced_profile change)" run "decisions change" $fs 4 $((50 * times))
    run "automatic" $fs 2 $((15 * times))
    with_profile "$(forced_profile many)" run "many aggregators" $fs 7 $((10 * times))
done
done_testing
