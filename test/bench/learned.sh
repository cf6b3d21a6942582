#!/bin/sh
# What a program gets that others' trials have taught: MPI's four levels of access, with blocks of
# 100 KiB that are dealt to the ranks in turn, on the timed stand-in for Lustre; make bench-learned
#     learned.sh [ROUNDS]
# Hints that are better than the default here (stripes over all targets) and no hints are tried in turn
# and leave records; these are imported and learned from; then the default, the hints by hand, and the
# same program with nothing but the learned advice take turns.  The profile is the built-in one, which
# knows nothing of this ground.  Exit code: 0 where hints gain 5 %, the advice takes at most 1.05 of their
# time; 1 not so.
. "${top_srcdir:?}/test/lib.sh"

rounds=${1:-10}
watchdog=600
autotune=$top_builddir/tools/autotune/autotune
standin=$top_builddir/test/grounds/standin/.libs/standin.so
mkdir "$scratch/files"
export STANDIN="lustre:$scratch/files" STANDIN_OSTS=12 STANDIN_LAYOUT=1:1048576 \
    STANDIN_TIME=ost:20,node:40,latency:5000,lock:25000 ROMIO_FSTYPE_FORCE=autotune:
unset SLURM_JOB_ID PBS_JOBID

# options and file of each level; 16 blocks a process
levels='ind-ctg ind-nc coll-ctg coll-nc'
options()
{
    case $1 in
        ind-ctg) echo "--pattern segmented --calls 16 --independent $scratch/files/ind-ctg" ;;
        ind-nc) echo "--pattern strided --block 100K --calls 1 --independent $scratch/files/ind-nc" ;;
        coll-ctg) echo "--pattern segmented --calls 16 $scratch/files/coll-ctg" ;;
        coll-nc) echo "--pattern strided --block 100K --calls 1 $scratch/files/coll-nc" ;;
    esac
}

# run LEVEL ADVICE OPTION...: seconds of the calls, a tab, what the driver says
run()
{
    _level=$1 _advice=$2
    shift 2
    # shellcheck disable=SC2046 # options are words
    LD_PRELOAD=$standin ROMIO_AUTOTUNE_ADVICE=$_advice ROMIO_AUTOTUNE_RECORD=$record \
        mpi 8 "$top_srcdir/test/grounds/standin/on-nodes" 4 "$top_builddir/study/workloads/pattern" --json --delete \
        --bytes 1638400 "$@" $(options "$_level") > "$scratch/said" || exit 2
    awk -f "$top_srcdir/test/bench/calls.awk" "$scratch/said"
}

by_hand() { run "$1" built-in --hint striping_factor=12 --hint cb_nodes=4; }

# --- trials, and what is learned from them

record=$scratch/records
for _ in $(seq "$rounds"); do
    for level in $levels; do
        run "$level" built-in > "$scratch/unused"
        by_hand "$level" > "$scratch/unused"
    done
done
"$autotune" history import --db "$scratch/history.db" "$record" > "$scratch/imported" || exit 2
"$autotune" history learn --db "$scratch/history.db" --control 0 --all -o "$scratch/advice.json" || exit 2

# --- as it is, by hand, and learned; in each round another is the first

record=$scratch/others
for round in $(seq "$rounds"); do
    for level in $levels; do
        for turn in 0 1 2; do
            case $(((round + turn) % 3)) in
                0) plain=$(run "$level" built-in) || exit 2 ;;
                1) hand=$(by_hand "$level") || exit 2 ;;
                2) learned=$(run "$level" "$scratch/advice.json") || exit 2 ;;
            esac
        done
        printf '%s\t%s\t%s\t%s\n' "$level" "$plain" "$hand" "$learned"
    done
done | sort -s -t '	' -k 1,1 > "$scratch/rounds"

awk -F '\t' '
    function median(values,    i, j, swap) {
        for (i = 2; i <= count; i++)
            for (j = i; j > 1 && values[j] < values[j - 1]; j--) { swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap }
        return values[int((count + 1) / 2)]
    }
    function tell(    ratio, gain, note) {
        ratio = median(ratios); gain = median(gains)
        note = gain <= 1.05 ? "; the hints gain nothing" : ratio > 1.05 ? ": MISSED" : ""
        bad += note ~ /MISSED/
        printf "%-8s default %.3f s  by hand %.3f s (x%.2f)  learned %.3f s: %.3f of by hand (%.3f to %.3f)%s\n         %s\n", level,
            median(plain), median(hand), gain, median(learned), ratio, ratios[1], ratios[count], note, status
        count = 0
    }
    NR > 1 && $1 != level { tell() }
    {
        level = $1
        plain[++count] = $2; hand[count] = $4; learned[count] = $6; status = $7
        ratios[count] = $6 / $4; gains[count] = $2 / $4
    }
    END { if (count > 0) tell(); exit bad > 0 }' "$scratch/rounds"
