#!/bin/sh
# Ranks that start a nonblocking operation wait for nobody, over every wrapped driver.
# AUTOTUNE_FULL=1: of 7 ranks each is late in turn, not every third.
. "${top_srcdir:?}/test/lib.sh"

watchdog=600
if [ -n "${AUTOTUNE_FULL-}" ]; then export ORDER_ALL=1; fi

# run FS RANKS: all groups of cases; where one hangs, the others after it
run()
{
    ORDER_SKIP=0
    export ORDER_SKIP
    while :; do
        mkdir "$scratch/d"
        over "$1" check_mpi "$1, $2 ranks" "$2" "$top_builddir/test/driver/order" "$scratch/d" "$1"
        rm -r "$scratch/d"
        hung=$(sed -n 's/^hung in group \([0-9]*\):.*/\1/p' "$scratch/.tap.log" | head -n 1)
        [ -n "$hung" ] && [ "$hung" != "$ORDER_SKIP" ] || return
        ORDER_SKIP=$hung
    done
}

for fs in ufs nfs gpfs lustre; do
    for ranks in 2 4 7; do
        run $fs $ranks
    done
done
done_testing
