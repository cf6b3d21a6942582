#!/bin/sh
# What it costs to see a call, over the number of threads; make bench-watch
#     watch.sh [BATCHES]
# Files and spools are in memory, for what is measured is not the disk.  Exit code: 0 all are within
# their targets, 1 one is not.
. "${top_srcdir:?}/test/lib.sh"

library=$top_builddir/watch/.libs/libautotune-watch.so
memory=$(mktemp -d /dev/shm/autotune-watch.XXXXXX) || exit 2
trap 'rm -rf "$scratch" "$memory"' EXIT

# measure NAME MODULES MOST: lines of NAME, call, threads, ns, ns more, target
measure()
{
    for threads in 1 2 4 8 16; do
        ROMIO_AUTOTUNE_WATCH="$2,spool:dir=$memory:limit=256M" LD_PRELOAD=$library \
            "$top_builddir/test/bench/watch" "$memory" $threads "$batches" > "$scratch/said" || exit 2
        rm -f "$memory"/*.spool
        awk -v name="$1" -v most="$3" -F '\t' -v OFS='\t' '{ print name, $0, most }' "$scratch/said"
    done
}

batches=${1:-400}
{
    measure record record 300
    measure "all modules" record,survey,readahead,histogram 750
} > "$scratch/all"
[ -s "$scratch/all" ] || exit 2
awk -F '\t' '
    {
        missed = $5 > $6 ? ": MISSED" : ""
        if ($3 == 1) alone[$1, $2] = $5
        else if ($5 > 1.5 * alone[$1, $2]) missed = missed ": GROWS"
        printf "%-12s %-18s %2d threads   %7.1f ns alone   %6.1f ns more, at most %d%s\n", $1, $2, $3, $4, $5, $6, missed
        bad += missed != ""
    }
    END { exit bad > 0 }' "$scratch/all"
