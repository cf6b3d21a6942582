#!/bin/sh
# Searches replayed on landscapes whose every point is known.
# shellcheck disable=SC2016 # of awk, and of other shells
. "${top_srcdir:?}/test/lib.sh"

replay=$top_builddir/study/search/replay
predict=$top_builddir/study/search/predict
here=$top_srcdir/study/search
cd "$scratch" || exit 99

# landscape NAME: 32 points; one is best, and the next ones are a fifth above it.  NAME noisy: three
# repetitions of each; broken: the best one fails; missing, twice: a point is
landscape()
{
    python3 - "$1" > "$1.json" << 'TEXT'
import itertools, json, sys
name = sys.argv[1]
points = []
for stripes, nodes, fill in itertools.product(range(4), range(4), range(2)):
    seconds = 1 + 0.3 * abs(stripes - 2) + 0.2 * abs(nodes - 1) + 0.5 * (1 - fill)
    place = {"point": [stripes, nodes, fill], "seconds": [round(seconds, 3)],
             "predicted": round(seconds + 0.1 * stripes - 0.5 * (1 - fill), 3)}
    if name == "noisy":
        place["seconds"] = [round(seconds * factor, 3) for factor in (0.97, 1, 1.04)]
    if name == "broken" and place["point"] == [2, 1, 1]:
        place.update(seconds=[], failed=1)
    points.append(place)
if name == "missing":
    del points[5]
if name == "twice":
    points.append(points[5])
print(json.dumps({
    "format": "romio-autotune-landscape", "version": 1, "name": name, "about": {},
    "space": {"format": "romio-autotune-space", "version": 1, "parameters": [
        {"name": "striping_factor", "values": [2, 4, 8]}, {"name": "cb_nodes", "values": [1, 2, 4]},
        {"name": "hdf5.fill_time", "values": ["never"]}]},
    "points": points}))
TEXT
}
for name in known noisy broken missing twice; do landscape $name; done
best="striping_factor=4 cb_nodes=1 hdf5.fill_time=never"
strategies="model model-blind genetic random exhaustive"

# rows_hold CONDITION: in all of them
rows_hold() { awk -F '\t' 'NR > 1 && !('"$1"') { print; bad = 1 } END { exit bad || NR < 2 }' rows; }

# --- command lines and files

check "--help" ends 0 "usage: replay" "$replay" --help
check "no landscape" ends 2 "a landscape is needed" "$replay"
check "no such strategy" ends 2 "must be model, model-blind" "$replay" --strategy luck known.json
check "no such file" ends 1 "none.json" "$replay" none.json
check "a point is missing" ends 1 "missing.json: points: cb_nodes=2 hdf5.fill_time=never is not there" "$replay" missing.json
check "a point is there twice" ends 1 "points[32].point: is there twice" "$replay" twice.json
check "predict: what?" ends 2 "a landscape and a profile are needed" "$predict" known.json
check "predict: nothing is known of the accesses" ends 1 "no record of collective accesses" "$predict" known.json built-in
check "which changes nothing" sh -c 'cp known.json before && ! "$1" known.json built-in 2> /dev/null && cmp known.json before' sh "$predict"

# --- what there is to find

"$replay" --best known.json > rows
check "default, optimum, what is predicted" rows_hold '$2 == 32 && $3 == 1 && $4 == "2.300" && $5 == "1.000" && $6 == "2.30" && $7 == "1.500"'
check "the optimum's settings" rows_hold "\$8 == \"$best\""

# --- every strategy

"$replay" --seeds 3 known.json > rows
check "all strategies end" test $? -eq 0
check "a row for each strategy and seed" test "$(wc -l < rows)" -eq 16
check "nothing is better than the optimum" rows_hold '$6 >= 1 && $8 >= 1'
check "all find it before they have tried all" rows_hold '$4 != "-" && $4 <= 32'
check "runs are those that it may have" rows_hold '$5 <= 20'
cp rows first
"$replay" --seeds 3 known.json > rows
check "the same again" cmp first rows
"$replay" --seeds 3 --strategy exhaustive known.json > rows
check "exhaustive: all points and nine checks" rows_hold '$7 == 41'
check "exhaustive finds the optimum" rows_hold '$8 == "1.0000"'

for strategy in $strategies; do
    "$replay" --seeds 2 --trace --strategy "$strategy" known.json > "$strategy.trace"
    "$replay" --seeds 2 --trace --strategy "$strategy" known.json > again
    check "$strategy: the same sequence again" cmp "$strategy.trace" again
    awk -F '\t' '$4 == "explore" { print $3 FS $6 }' "$strategy.trace" | sort > explored
    check "$strategy: explores" test -s explored
    check "$strategy: no point twice" test -z "$(uniq -d explored)"
    check "$strategy: the default first" sh -c 'sed -n 2p "$1" | grep -q "explore	0	default	2.3"' sh "$strategy.trace"
done
points_of() { awk -F '\t' 'NR > 1 { print $6 }' "$@" | grep -v '^settings$' | sort -u; }
points_of exhaustive.trace > all-points
check "exhaustive: all points" test "$(wc -l < all-points)" -eq 32
for strategy in $strategies; do
    points_of "$strategy.trace" > tried
    check "$strategy: no others" test -z "$(comm -23 tried all-points)"
done
seed_of() { awk -F '\t' -v seed="$1" '$3 == seed { print $6 }' random.trace; }
check "random: another seed, another sequence" sh -c '[ "$1" != "$2" ]' sh "$(seed_of 1)" "$(seed_of 2)"
# the row counts runs as the trace does
place=$(awk -F '\t' -v best="$best" '$3 == 1 && $4 == "explore" && $6 == best { print $5 + 1; exit }' exhaustive.trace)
check "exhaustive: near when it was there" test "$(awk -F '\t' '$3 == 1 { print $4 }' rows)" = "$place"

# --- noise, failures

"$replay" --seeds 10 noisy.json > rows
check "with noise" test $? -eq 0
check "judged by medians" rows_hold '$6 >= 1 && $8 >= 1'
"$replay" --seeds 10 --trace --strategy random noisy.json > noisy.trace
drawn() { awk -F '\t' -v want="$1" '$6 == "default" && $7 == want { found = 1 } END { exit !found }' noisy.trace; }
for seconds in 2.231 2.3 2.392; do check "each repetition is drawn: $seconds" drawn $seconds; done
"$replay" --seeds 3 broken.json > rows
check "with a point that fails" test $? -eq 0
check "which is not the best" rows_hold '$8 >= 1 && $8 != "inf"'
"$replay" --best broken.json > rows
check "nor the optimum" rows_hold '$5 == "1.200"'

# --- landscapes that were measured

"$replay" --seeds 3 --runs 20 "$here"/data/*.json > kept_rows
check "what 20 runs find is within 5 % of the optimum, on each of twelve" \
    awk -F '\t' '$2 == "model" && $6 <= 1.05 { good++ } END { exit good != 36 }' kept_rows
check "the third run is, on the stand-in" \
    awk -F '\t' '$2 == "model" && $1 !~ /cluster/ && $4 >= 1 && $4 <= 3 { good++ } END { exit good != 18 }' kept_rows

# --- tables

{
    printf 'landscape\tstrategy\tseed\tnear\truns\tfound\tusual runs\tusual found\n'
    printf 'x\tmodel\t1\t4\t20\t1.1000\t40\t1.0000\nx\tmodel\t2\t10\t20\t1.2000\t60\t1.0200\nx\tmodel\t3\t6\t20\t1.0000\t50\t1.0100\n'
    printf 'x\tgenetic\t1\t60\t20\tinf\t300\t1.0000\nx\tgenetic\t2\t-\t20\t1.5000\t300\t1.3000\nx\tgenetic\t3\t30\t20\t1.4000\t300\t1.1000\n'
    printf 'x\trandom\t1\t13\t20\t1.1000\t60\t1.0000\nx\trandom\t2\t-\t20\tinf\t60\t1.1000\n'
} > given
cat > expected << 'TEXT'
| x | model | 6 | 4 | 10 | 10.0 | 1.100 | 1.200 | 50 | 1.010 | 1.020 |
| x | genetic | 60 | 30 | never | 1.0 | 1.500 | none | 300 | 1.100 | 1.300 |
| x | random | never | 13 | never | - | none | none | 60 | 1.050 | 1.100 |
TEXT
awk -v runs=20 -f "$here/table.awk" given | sed 1,2d > table
check "medians, least and most" diff -u expected table
check "a row with too few fields" ends 1 "line 1 has 2 fields" sh -c 'printf "a\tb\n" | awk -f "$1"' sh "$here/table.awk"
"$here/compare" --seeds 2 --rows kept "$replay" known.json noisy.json > tables 2> progress
check "compare" test $? -eq 0
for strategy in $strategies; do
    check "compare: $strategy" test "$(grep -c "^| [a-z]* | $strategy | [0-9]" tables)" -eq 2
done
check "TPE, or why there is none" grep -Eq '^\| known \| tpe \||^No TPE: Optuna' tables
check "what the tables are made of" test "$(grep -c '^known' kept)" -ge 10
check "compare: which replay?" ends 2 "which replay?" "$here/compare"
done_testing
