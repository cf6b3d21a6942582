#!/bin/sh
# What a state of storage gains on the timed stand-in for Lustre, of whose targets some are busy;
# make bench-steer
#     steer.sh [PAIRS]
# Runs without and with a state take turns, both in mode automatic, with the profile that is
# trained from the points of study/standin.  A quarter of the targets, another one in each pair, takes
# three times as long.  Exit code: 0 nothing is more than 2 % slower, 1 something is.
. "${top_srcdir:?}/test/lib.sh"

pairs=${1:-5}
watchdog=600
pattern=$top_builddir/study/workloads/pattern
export STANDIN_TIME=ost:20,node:40,latency:5000,lock:25000 STANDIN_LAYOUT=4:1048576
standin=$top_builddir/test/grounds/standin/.libs/standin.so
ost=$top_builddir/test/grounds/standin/standin-ost
echo "training the profile" >&2
"$top_builddir/tools/autotune/autotune" train "$top_srcdir/study/standin/data/lustre-timed/points.json" \
    -o "$scratch/trained.json" > "$scratch/training" 2>&1 || { cat "$scratch/training" >&2; exit 2; }

# busy WHICH SEED: a line for each target that is: a quarter, none or all of them
busy()
{
    awk -v which="$1" -v seed="$2" -v targets="$STANDIN_OSTS" 'BEGIN {
        srand(seed)
        left = which == "none" ? 0 : which == "all" ? targets : targets / 4
        for (i = 0; i < targets; i++)
            if (rand() * (targets - i) < left) { print i; left-- } }'
}

# state INVERTED < BUSY: what is said of the targets, 51 s for a GiB at 20 MB/s
state()
{
    awk -v inverted="$1" -v targets="$STANDIN_OSTS" -v now="$(date +%s)" -v path="$directory" '
        { is_busy[$1] = 1 }
        END {
            printf "{\"format\": \"romio-autotune-state\", \"version\": 1, \"path\": \"%s\", ", path
            printf "\"said\": %d, \"until\": %d, \"targets\": [\n", now, now + 600
            for (i = 0; i < targets; i++)
                printf("%s{\"target\": %d, \"idle\": %s, \"usual\": 0.75, \"idle_seconds\": 51, " \
                    "\"idle_deviation\": 0.05, \"busy_seconds\": 154, \"busy_deviation\": 0.05}\n", i ? "," : "", i,
                    (i in is_busy) != inverted ? 0.05 : 0.95)
            print "]}"
        }'
}

# run STATE OPTION...
run()
{
    _state=$1
    shift
    STANDIN="lustre:$directory" LD_PRELOAD=$standin ROMIO_AUTOTUNE_STATE=$_state ROMIO_FSTYPE_FORCE=autotune: \
        ROMIO_AUTOTUNE_PROFILE=$scratch/profile.json mpi 8 "$top_srcdir/test/grounds/standin/on-nodes" 4 "$pattern" \
        --json --delete --calls 1 "$@" "$directory/file" > "$scratch/said" || exit 2
    awk -v from="${from:-1}" -f "$top_srcdir/test/bench/calls.awk" "$scratch/said"
}

# compare NAME WHICH INVERTED OPTION...: a line for each pair
compare()
{
    _name="$STANDIN_OSTS targets, $1" _which=$2 _inverted=$3
    shift 3
    for _pair in $(seq "$pairs"); do
        "$ost" "$directory" reset || exit 2
        busy "$_which" "$_pair" > "$scratch/busy"
        while read -r _target; do
            "$ost" "$directory" busy "$_target" 3 || exit 2
        done < "$scratch/busy"
        state "$_inverted" < "$scratch/busy" > "$scratch/state.json"
        _without=$(run built-in "$@") || exit 2
        _with=$(run "$scratch/state.json" "$@") || exit 2
        printf '%s\t%s\t%s\n' "$_name" "$_without" "$_with"
    done
}

for STANDIN_OSTS in 8 16 64; do
    export STANDIN_OSTS
    directory=$scratch/$STANDIN_OSTS
    mkdir "$directory"
    sed "s/\"servers\": [0-9]*/\"servers\": $STANDIN_OSTS/" "$scratch/trained.json" > "$scratch/profile.json"
    run built-in --pattern contiguous --bytes 65536 > "$scratch/first"
    compare "contiguous" quarter 0 --pattern contiguous --bytes 4194304
    compare "strided" quarter 0 --pattern strided --bytes 3145728 --block 16384
    compare "none is busy" none 0 --pattern contiguous --bytes 4194304
    compare "all are busy" all 0 --pattern contiguous --bytes 4194304
    compare "state is wrong" quarter 1 --pattern contiguous --bytes 4194304
    from=2 compare "state is wrong, file after" quarter 1 --pattern contiguous --bytes 4194304 --repeat 2
    compare "state is wrong, 12 files" quarter 1 --pattern contiguous --bytes 4194304 --repeat 12
done > "$scratch/pairs"
grep -E "contiguous|strided" "$scratch/pairs" |
    awk -F '\t' -v one=without -v other="with state" -f "$top_srcdir/test/bench/pairs.awk"
code=$?
grep -vE "contiguous|strided" "$scratch/pairs" |
    awk -F '\t' -v one=without -v other="with state" -f "$top_srcdir/test/bench/pairs.awk" && exit $code
