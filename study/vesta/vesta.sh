#!/bin/sh
# The simulated Vesta: cases with known times, and its program from end to end.
. "${top_srcdir:?}/test/lib.sh"

vesta=$top_builddir/study/vesta/vesta
autotune=$top_builddir/tools/autotune/autotune

[ -x "$vesta" ] || { skip "the simulated Vesta" "built without SimGrid"; done_testing; exit; }

fails_with()
{
    _code=$1
    shift
    "$@" > "$scratch/out" 2> "$scratch/err"
    [ $? -eq "$_code" ] && [ -s "$scratch/err" ]
}

check_tap "machine" "$top_builddir/study/vesta/test_vesta"

# --- one run

"$vesta" run --nodes 32 --per-pset 4 > "$scratch/run" 2>&1
check "a run says what it took" grep -q '^total .* s .* GB/s$' "$scratch/run"
check "and wrote all bytes" grep -q "^$((32 * 16 * 4 << 20)) bytes" "$scratch/run"
check "a partition that does not exist is refused" fails_with 2 "$vesta" run --nodes 100
check "so is a placement" fails_with 2 "$vesta" run --placement nowhere
check "so are too many aggregators" fails_with 2 "$vesta" run --nodes 32 --aggregators 513
check "so is an unknown command" fails_with 2 "$vesta" fly
check "so is an instance that the study has not" fails_with 2 "$vesta" sweep --nodes 64
check "a directory that cannot be is named" fails_with 1 "$vesta" sweep --out "$scratch/no/where"

# --- a sweep

small_sweep()
{
    "$vesta" sweep --out "$1" --nodes 128 --largest 1M 2> "$1.log"
}
without_date()
{
    sed 's/"date":"[^"]*"//' "$1"
}
same()
{
    without_date "$1" > "$scratch/a" && without_date "$2" > "$scratch/b" &&
        cmp "$scratch/a" "$scratch/b"
}
check "a small sweep" small_sweep "$scratch/first"
check "has nine configurations and the four variants of each" \
    sh -c "test \$(grep -o '\"aggregators\"' '$scratch/first/sweep.json' | wc -l) -eq 45"
check "one of them the default" \
    sh -c "test \$(grep -o '\"default\":true' '$scratch/first/sweep.json' | wc -l) -eq 1"
small_sweep "$scratch/second"
check "the same again is the same" same "$scratch/first/sweep.json" "$scratch/second/sweep.json"
rm "$scratch/second/sweep.json" "$scratch"/second/parts/*repetition1*
touch -d '2001-01-01' "$scratch"/second/parts/*repetition0*
small_sweep "$scratch/second"
check "what was ended goes on" same "$scratch/first/sweep.json" "$scratch/second/sweep.json"
check "without doing again what was done" \
    sh -c "test -n \"\$(find '$scratch/second/parts' -name '*repetition0*' ! -newermt 2001-01-02)\""

# --- points that autotune train accepts

check "a tiny calibration" "$vesta" calibrate --tiny --out "$scratch/tiny"
if [ -x "$autotune" ]; then
    check "is accepted by autotune train" \
        "$autotune" train "$scratch/tiny/points.json" -o "$scratch/profile.json" --threads 1
else
    skip "autotune train" "it is not built"
fi

# --- the data that is kept

# Seconds of the first instance, 128 nodes and 1 MiB, one number a line.
seconds_of()
{
    sed 's/{"name":"[0-9]* nodes/\n&/g' "$1" | sed -n 2p | grep -o '"seconds":\[[^]]*' |
        sed 's/.*\[//' | tr ',' '\n'
}
# Rounding differs between processors, and what comes first may then too.
as_kept()
{
    seconds_of "$scratch/first/sweep.json" > "$scratch/a"
    seconds_of "$data/sweep.json" > "$scratch/b"
    test "$(wc -l < "$scratch/a")" -eq "$(wc -l < "$scratch/b")" &&
        paste "$scratch/a" "$scratch/b" |
        awk '{ if ($1 > 1.02 * $2 || $2 > 1.02 * $1) { print; bad = 1 } } END { exit bad || !NR }'
}
data=$top_srcdir/study/vesta/data
check "the data that is kept is this version's" \
    grep -q "\"version\":\"$("$vesta" --version | sed 's/.* //')\"" "$data/sweep.json"
check "and its first instance is what comes out here" as_kept
done_testing
