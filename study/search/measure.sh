#!/bin/sh
# A landscape of four points, measured on the timed stand-in for Lustre, and one of two points on a small cluster;
# and what is not measured again.
# shellcheck disable=SC2016 # of awk, and of other shells
. "${top_srcdir:?}/test/lib.sh"

here=$top_srcdir/study/search
replay=$top_builddir/study/search/replay
out=$scratch/out

check "--help" ends 0 "usage: measure" "$here/measure" --help
check "where?" ends 2 "are needed" "$here/measure" --build "$top_builddir"
check "no such kernel" ends 2 "is not in" "$here/measure" --build "$top_builddir" --directory "$scratch" --out "$out" --kernel cats
check "no such option" ends 2 "--cats: is not known" "$here/measure" --cats 2
check "no such ground" ends 2 "must be standin or cluster" "$here/measure" --build "$top_builddir" --directory "$scratch" --out "$out" --ground moon
check "run-kernel: what?" ends 2 "usage: run-kernel" "$here/run-kernel" standin a b
check "run-kernel: where?" ends 2 "usage: run-kernel" "$here/run-kernel" moon a b c vpic
check "nothing was begun" test ! -e "$out"
if [ ! -x "$top_builddir/study/workloads/vpic" ] || [ ! -e "$top_builddir/watch/.libs/libautotune-watch.so" ]; then
    skip "landscapes" "no parallel HDF5 for MPICH was found by configure, or no libautotune-watch.so"
    done_testing
    exit
fi

# --- one run does as it is told

cat > "$scratch/advice.json" << 'END_OF_ADVICE'
{"format": "romio-autotune-advice", "version": 1, "rules": [{"match": {"file": "*"},
 "set": {"striping_factor": 4, "striping_unit": 262144, "cb_nodes": 2, "hdf5_alignment": [4096, 1048576]}}]}
END_OF_ADVICE
# kernel ADVICE: prints in $scratch/said
kernel()
{
    ROMIO_AUTOTUNE_ADVICE=$1 ROMIO_AUTOTUNE_EXPLAIN=$scratch/explained \
        "$here/run-kernel" standin "$top_builddir" "$MPIEXEC" "$scratch" vpic --scale 0.0009765625 > "$scratch/said" 2>&1
    set -- $?
    cat "$scratch/said"
    return "$1"
}
check "a run" kernel built-in
check "ends in its seconds" sh -c 'tail -n 1 "$1" | grep -Exq "[0-9.e+-]+"' sh "$scratch/said"
check "on a file of one stripe" grep -q '"striping_factor":"1"' "$scratch/said"
check "a run with advice" kernel "$scratch/advice.json"
for hint in '"striping_factor":"4"' '"striping_unit":"262144"' '"cb_nodes":"2"'; do
    check "has $hint" grep -qF "$hint" "$scratch/said"
done
check "and HDF5's alignment" grep -q '"format":"romio-autotune-hdf5".*"hdf5_alignment":\[4096,1048576\]' "$scratch/explained"

# --- a landscape

cat > "$scratch/space.json" << 'END_OF_SPACE'
{ "format": "romio-autotune-space", "version": 1, "parameters": [
  { "name": "striping_unit", "values": [65536] }, { "name": "hdf5_alignment", "values": [[4096, 1048576]] } ] }
END_OF_SPACE
echo "tiny vpic --scale 0.0009765625" > "$scratch/kernels"
measure()
{
    "$here/measure" --build "$top_builddir" --mpiexec "$MPIEXEC" --directory "$scratch" --out "$out" \
        --kernels "$scratch/kernels" --space "$scratch/space.json" --repetitions 2 --profile built-in
}
runs() { grep -c '"result"' "$out/tiny/$1/journal.jsonl"; }

check "four points, twice" measure
check "and nine checks" test "$(runs 1)" -eq 13
check "a landscape" sh -c '"$1" --best "$2" | grep -q "^tiny	4	"' sh "$replay" "$out/tiny.json"
facts()
{
    python3 - "$out/tiny.json" << 'TEXT'
import json, sys
document = json.load(open(sys.argv[1]))
places = {tuple(each["point"]): each for each in document["points"]}
assert set(places) == {(0, 0), (0, 1), (1, 0), (1, 1)}, places
assert all(len(each["seconds"]) == 2 for each in places.values()), places
assert all(each["predicted"] > 0 for each in places.values()), places
assert places[0, 0]["predicted"] != places[1, 0]["predicted"], places
facts = document["facts"]
assert set(facts) == {"driver", "ranks", "nodes", "apart", "accesses"}, facts
assert (facts["driver"], facts["ranks"], facts["nodes"]) == ("lustre", 4, 4), facts
assert facts["accesses"][0]["config"]["stripe_count"] == 1, facts
assert document["about"]["program"] == "vpic --scale 0.0009765625", document["about"]
TEXT
}
check "with all repetitions, predictions, and the default's accesses" facts
cp "$out/tiny/2/journal.jsonl" "$scratch/before"
check "the same again" measure
check "measures nothing" cmp "$scratch/before" "$out/tiny/2/journal.jsonl"
# as if it had been killed
rm "$out/tiny/2/done" "$out/tiny.json"
head -n 9 "$scratch/before" > "$out/tiny/2/journal.jsonl"
check "it goes on" measure
went_on()
{
    head -n 9 "$scratch/before" > "$scratch/head"
    head -n 9 "$out/tiny/2/journal.jsonl" | cmp - "$scratch/head" && [ "$(runs 2)" -eq 13 ]
}
check "with what was left" went_on
check "to a landscape" test -s "$out/tiny.json"

# --- a search without one, and what a plain run makes of it

cat > "$scratch/wide.json" << 'END_OF_SPACE'
{ "format": "romio-autotune-space", "version": 1, "parameters": [
  { "name": "striping_factor", "values": [8] }, { "name": "striping_unit", "values": [262144] } ] }
END_OF_SPACE
echo "four vpic --scale 0.00390625" > "$scratch/kernels"
live()
{
    "$here/live" --build "$top_builddir" --mpiexec "$MPIEXEC" --directory "$scratch" --out "$scratch" --profile built-in \
        --kernels "$scratch/kernels" --space "$scratch/wide.json" --runs 12 --pairs 1 "$@"
}
check "live: --help" ends 0 "searches where" "$here/live" --help
check "live: no such kernel" ends 2 "--kernel cats: is not in" live --kernel cats
found()
{
    live > "$scratch/table" && cat "$scratch/table" &&
        grep -Eq '^\| four \| [0-9]+ \+ [0-9]+ \| .*striping_factor: 8.* \| yes \|$' "$scratch/table"
}
check "live: the record of a plain run has the rule" found
check "live: not twice in one folder" ends 1 "is there already" live

# --- on a small cluster

cluster=$top_srcdir/test/grounds/cluster/cluster
# shellcheck source=test/grounds/cluster/needs.sh
. "$top_srcdir/test/grounds/cluster/needs.sh"
if ! needs_met 2> "$scratch/reason"; then
    skip "a landscape on a cluster" "$(tail -n 1 "$scratch/reason")"
    done_testing
    exit
fi
cat > "$scratch/writers.json" << 'END_OF_SPACE'
{ "format": "romio-autotune-space", "version": 1, "parameters": [ { "name": "cb_nodes", "values": [2] } ] }
END_OF_SPACE
echo "pair gcrm --scale 0.001" > "$scratch/kernels"
on_cluster()
{
    "$here/measure" --ground cluster --build "$top_builddir" --mpiexec "$MPIEXEC" --directory "$scratch" \
        --out "$out" --kernels "$scratch/kernels" --space "$scratch/writers.json" --repetitions 1
}
check "cluster: two points" on_cluster
check "cluster: it is ended" ends 1 "not up" env CLUSTER_DIR="$scratch/cluster" "$cluster" status
cluster_facts()
{
    python3 - "$out/pair.json" << 'TEXT'
import json, sys
document = json.load(open(sys.argv[1]))
assert len(document["points"]) == 2, document
assert all(each["predicted"] > 0 for each in document["points"]), document
facts = document["facts"]
assert (facts["driver"], facts["ranks"], facts["nodes"]) == ("ufs", 8, 4), facts
assert facts["apart"]["writes"] > 0, facts
TEXT
}
check "cluster: eight ranks on four nodes, and predictions" cluster_facts
done_testing
