#!/bin/sh
# What it costs to see a call, over the number of threads; make bench-watch
#     watch.sh [BATCHES [JOBS]]
# Files and spools are in memory, for what is measured is not the disk.  What else runs on a machine
# changes from second to second: all numbers of threads are measured in turn, in several jobs, of
# which the medians are told.  Exit code: 0 all are within their targets, 1 one is not.
. "${top_srcdir:?}/test/lib.sh"

library=$top_builddir/watch/.libs/libautotune-watch.so
memory=$(mktemp -d /dev/shm/autotune-watch.XXXXXX) || exit 2
trap 'rm -rf "$scratch" "$memory"' EXIT

# measure NAME MODULES MOST THREADS: lines of NAME, call, threads, ns, ns more, target
measure()
{
    ROMIO_AUTOTUNE_WATCH="$2,spool:dir=$memory:limit=256M" LD_PRELOAD=$library \
        "$top_builddir/test/bench/watch" "$memory" "$4" "$batches" > "$scratch/said" || exit 2
    rm -f "$memory"/*.spool
    awk -v name="$1" -v most="$3" -F '\t' -v OFS='\t' '{ print name, $0, most }' "$scratch/said" >> "$scratch/all"
}

batches=${1:-100} jobs=${2:-9}
for _ in $(seq "$jobs"); do
    for threads in 1 2 4 8 16; do
        measure record record 300 $threads
        measure "all modules" record,survey,readahead,histogram,reasoner 750 $threads
    done
done
[ -s "$scratch/all" ] || exit 2
# by what was measured, then by the cost, so that the median is the middle line
sort -s -t '	' -k 1,2 -k 3,3n -k 5,5g "$scratch/all" | awk -F '\t' '
    function tell(    middle, missed) {
        middle = more[int((count + 1) / 2)]
        missed = middle > most ? ": MISSED" : ""
        if (threads == 1) alone = middle
        else if (middle > 1.5 * alone) missed = missed ": GROWS"
        printf "%-12s %-18s %2d threads   %6.1f ns alone   %6.1f ns more (%.1f to %.1f), at most %d%s\n",
            name, call, threads, bare / count, middle, more[1], more[count], most, missed
        bad += missed != ""
    }
    $1 != name || $2 != call || $3 != threads {
        if (count > 0) tell()
        name = $1; call = $2; threads = $3; most = $6
        count = bare = 0
    }
    { more[++count] = $5; bare += $4 }
    END { tell(); exit bad > 0 }'
