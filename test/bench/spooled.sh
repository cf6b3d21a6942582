#!/bin/sh
# How many activities a second reach spool files, and that those that do not are counted; make bench-spool
#     spooled.sh [SECONDS [JOBS [DIR]]]
# At each rate the jobs take turns with those of other rates, and medians are told.  From the first call
# to the end of the process, all that was kept is in the spool.  DIR is where spools are (default: in
# memory, if there is /dev/shm).  Exit code: 0 a million activities a second are taken and none of them
# is dropped; 1 not so, or some were neither kept nor counted.
. "${top_srcdir:?}/test/lib.sh"

library=$top_builddir/watch/.libs/libautotune-watch.so
spooled=$top_builddir/test/bench/spooled
seconds=${1:-3} jobs=${2:-5} asked=1000000
memory=$(mktemp -d "${3:-$([ -d /dev/shm ] && echo /dev/shm || echo "$scratch")}/autotune-spooled.XXXXXX") || exit 2
trap 'rm -rf "$scratch" "$memory"' EXIT

# measure THREADS RATE: a line of threads, rate, made, seconds of calls, of all, kept, dropped
measure()
{
    ROMIO_AUTOTUNE_WATCH="record,spool:dir=$memory:limit=16G" LD_PRELOAD=$library \
        "$spooled" "$memory/file" "$1" "$2" "$seconds" > "$scratch/made" || exit 2
    _end=$(date +%s.%N)
    "$spooled" --count "$memory"/*.spool > "$scratch/counted" || exit 2
    rm -f "$memory"/*.spool
    read -r _began _calls _took < "$scratch/made"
    read -r _kept _dropped < "$scratch/counted"
    echo "$1 $2 $_calls $_took $(awk "BEGIN { print $_end - $_began }") $_kept $_dropped" >> "$scratch/all"
}

for _ in $(seq "$jobs"); do
    for threads in 1 4 16; do
        for rate in 250000 500000 $asked 2000000 0; do measure $threads "$rate"; done
    done
done
# the middle job by what was kept a second; opens and closes of files are activities as well
sort -s -k 1,1n -k 2,2n "$scratch/all" | awk -v asked=$asked -v jobs="$jobs" '
    function tell(    i, j, swap, note) {
        for (i = 2; i <= count; i++)
            for (j = i; j > 1 && kept[j] < kept[j - 1]; j--) { swap = kept[j]; kept[j] = kept[j - 1]; kept[j - 1] = swap }
        note = lost > 0 ? ": NOT COUNTED" : ""
        if (rate == asked && (dropped > 0 || made / took < 0.98 * asked)) note = note ": MISSED"
        bad += note != ""
        printf "%2d threads  %9s asked  %9.0f made  %9.0f a second into spools (%.0f to %.0f)  %.2f %% dropped%s\n", threads,
            (rate > 0 ? rate : "all"), made / took, kept[int((count + 1) / 2)], kept[1], kept[count], 100 * dropped / made, note
    }
    $1 != threads || $2 != rate {
        if (count > 0) tell()
        threads = $1; rate = $2; count = made = took = dropped = lost = 0
    }
    {
        kept[++count] = $6 / $5
        made += $3; took += $4; dropped += $7
        lost += $6 + $7 < $3 || $6 + $7 > $3 + 2 * $1 + 2
    }
    END { tell(); exit bad > 0 }'
