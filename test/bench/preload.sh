#!/bin/sh
# What the preload library costs over the driver built in; make bench-preload
#     preload.sh [PROCESSES [ROUNDS [JOBS [host]]]]
# host: what opens cost over those of Debian's MPICH without it; make bench-opens
# Where code and data lie differs from job to job, and a call of a microsecond shows it: the
# ratios are medians over several jobs.  Exit code: 0 all are within their targets, 1 one is not.
program=${top_builddir:?}/test/bench/preload
if [ "${4-}" = host ]; then . "${top_srcdir:?}/test/preload/host.sh"; fi
. "${top_srcdir:?}/test/lib.sh"

watchdog=600
mkdir "$scratch/d"
if [ "${4-}" = host ]; then
    # as users have it: nothing is set, nothing installed
    unset ROMIO_AUTOTUNE_PROFILE ROMIO_AUTOTUNE_ADVICE
    export HOME="$scratch"
    program=$scratch/preload
    "$MPICC" -O2 -D_GNU_SOURCE -o "$program" "$top_srcdir/test/bench/preload.c" \
        "$top_srcdir/test/bench/overhead_stats.c" -lm -ldl || exit 2
fi
for job in $(seq "${3-15}"); do
    # shellcheck disable=SC2086 # one word, or none
    mpi "${1-2}" "$program" "$top_builddir/preload/libromio-autotune.so" "$scratch/d" "${2-40}" ${4-} >> "$scratch/said"
    [ $? -le 1 ] || exit 2
done
sort -s -t '	' -k 1,1 -k 3,3g "$scratch/said" | awk -F '\t' '
    function tell() {
        middle = ratio[int((count + 1) / 2)]
        printf "%-24s %9.2f us   %.4f (%.4f to %.4f over %d jobs)   at most %.2f%s\n", work, micro / count,
            middle, ratio[1], ratio[count], count, most, middle <= most ? "" : ": MISSED"
        missed += middle > most
    }
    $1 != work { if (count > 0) tell(); work = $1; count = micro = 0 }
    { ratio[++count] = $3; micro += $2; most = $4 }
    END { tell(); exit missed > 0 }'
