#!/bin/sh
# The study's plan, what it keeps and where it goes on; with a stand-in for the
# cluster, which runs nothing.  Clusters themselves: cluster.sh.
. "${top_srcdir:?}/test/lib.sh"

study=$top_srcdir/study/cluster/study
export STUDY_BUILD="$scratch/build" STUDY_CLUSTER="$scratch/cluster"
out=$scratch/out
shape=balanced

# exits CODE TEXT ARGUMENT...: study ends with CODE and says TEXT
exits()
{
    _code=$1 _text=$2
    shift 2
    "$study" "$@" > "$scratch/said" 2>&1
    _rc=$?
    cat "$scratch/said"
    [ $_rc -eq "$_code" ] && grep -qF -e "$_text" "$scratch/said"
}

# --- programs that only say what they were asked for

mkdir -p "$STUDY_BUILD/tools/autotune" "$STUDY_BUILD/tune/calibrate" "$STUDY_BUILD/study/workloads"
cat > "$STUDY_CLUSTER" <<'END'
#!/bin/sh
echo "$*" >> "$CLUSTER_DIR.log"
case $1 in
    up) mkdir -p "$CLUSTER_DIR" && echo '{}' > "$CLUSTER_DIR/topology.json" ;;
    down) rm -rf "$CLUSTER_DIR" ;;
    run) shift; [ "$1" != -n ] || exit 0; "$@" ;;
esac
END
cat > "$STUDY_BUILD/tune/calibrate/autotune-calibrate" <<'END'
#!/bin/sh
while [ "$1" != --out ]; do shift; done
echo '{"points": []}' > "$2"
END
cat > "$STUDY_BUILD/tools/autotune/autotune" <<'END'
#!/bin/sh
case $1 in
    profile) while [ "$1" != -o ]; do shift; done; echo '{}' > "$2" ;;
    train) echo '{"profile": 1}' > "$4" ;;
    place) printf 'of\nindex\n0 0 0 0 n0\n1 4 2 0 n2\n' ;;
esac
END
cat > "$STUDY_BUILD/study/workloads/pattern" <<'END'
#!/bin/sh
case "$*" in
    *cb_nodes=8*) [ ! -e "$CLUSTER_DIR.broken" ] || { echo "no memory" >&2; exit 1; } ;;
esac
case "$*" in
    *romio_autotune_record=*/2d)
        record=${*#*romio_autotune_record=}
        echo '{"file": "/volume/2d", "decisions": [{"access": {"write": true, "affinity": 0.5}}]}' >> "${record%% *}" ;;
esac
case "$*" in
    *autotune:*) hints='"cb_nodes": "2", "cb_buffer_size": "4194304", "romio_cb_write": "enable", "romio_autotune_status": "tuned"' ;;
    *) hints='"cb_nodes": "4", "cb_buffer_size": "16777216", "romio_cb_write": "automatic"' ;;
esac
echo '{"workload": "x", "read": false, "collective": true, "ranks": 8, "bytes": 16777216, "seconds": 1.5, "open": 0.1,' \
    '"calls": [0.6, 0.7], "close": 0.1, "hints": {'"$hints"'}}'
case "$*" in
    *2d*--verify*) echo "7 bytes are wrong" >&2; exit 1 ;;
esac
END
chmod +x "$STUDY_CLUSTER" "$STUDY_BUILD"/tools/*/* "$STUDY_BUILD"/tune/*/* "$STUDY_BUILD/study/workloads/pattern"
few="--shape $shape --workload strided --workload 2d --repetitions 2"

# --- command lines

check "--help" exits 0 "usage: study" --help
check "no directory" exits 2 "which DIR?"
check "unknown option" exits 2 "unknown option --fast" --fast "$out"
check "unknown shape" exits 2 "round: is not in study-shapes" --shape round "$out"
check "unknown workload" exits 2 "none: is not in study-workloads" --workload none "$out"
check "unknown step" exits 2 "not calibrate, sweep or write" --step dance "$out"
check "not a number" exits 2 "--repetitions many: not a number" --repetitions many "$out"
check "not a time" exits 2 "--for 5: not a time" --for 5 "$out"
check "no value" exits 2 "--budget needs a value" --budget

# --- shapes and workloads

# Every SPEC is one, no name is there twice, and there are enough of them.
# shellcheck source=test/grounds/cluster/spec.sh
. "$top_srcdir/test/grounds/cluster/spec.sh"
shapes_parse()
{
    grep -v '^#' "$top_srcdir/study/cluster/study-shapes" | grep . > "$scratch/shapes"
    while read -r _ _ _spec; do
        spec_parse "$_spec" || return 1
    done < "$scratch/shapes"
}

# at_least N FILE
at_least()
{
    _names=$(awk '!/^#/ && NF > 0 {print $1}' "$top_srcdir/study/cluster/$2")
    [ "$(echo "$_names" | wc -l)" -ge "$1" ] && [ -z "$(echo "$_names" | sort | uniq -d)" ]
}

check "every shape is one" shapes_parse
check "3 shapes or more" at_least 3 study-shapes
check "8 workloads or more" at_least 8 study-workloads

# --- dry run: 15 configurations twice, and a run that is checked

# shellcheck disable=SC2086
check "dry run" exits 0 "pattern --pattern 2d --bytes" $few --dry-run "$out"
check "dry run: runs" grep -q "^2d: .*: 31 runs to go" "$scratch/said"
check "dry run: placements only with psets" sh -c '! grep -q uniform "$1"' sh "$scratch/said"
check "dry run: with psets" exits 0 2x4:uniform --shape forwarded --dry-run "$out"
check "dry run: makes nothing" [ ! -e "$out" ]

# --- a run that fails on the way, and the next one

runs() { wc -l < "$out/$shape/runs"; }

mkdir -p "$out"
: > "$out/cluster.broken"
# shellcheck disable=SC2086
check "a run fails" exits 1 "strided: 8x1: failed" $few "$out"
check "what came before is kept" [ "$(runs)" -eq 11 ]
check "the cluster is down" [ ! -e "$out/cluster" ]
rm "$out/cluster.broken"
# shellcheck disable=SC2086
check "what is left" exits 0 "strided: pattern --pattern strided" $few --dry-run "$out"
check "what is left: runs" grep -q "^strided: .*: 20 runs to go" "$scratch/said"
: > "$out/cluster.log"
# shellcheck disable=SC2086
check "no time" exits 3 "the time is over" $few --for 0s "$out"
check "no time: nothing was run" [ "$(runs)" -eq 11 ]
# shellcheck disable=SC2086
check "goes on" exits 0 "sweep.json: written" $few "$out"
check "goes on: with the rest" [ "$(runs)" -eq 62 ]
check "goes on: each once" [ -z "$(cut -f 1-3 "$out/$shape/runs" | sort | uniq -d)" ]
check "goes on: without calibrating again" sh -c '! grep -q calibrate "$1"' sh "$out/cluster.log"
cp "$out/$shape/runs" "$scratch/runs"
# shellcheck disable=SC2086
check "nothing is left" exits 0 "sweep.json: written" $few "$out"
check "nothing is left: nothing was run" cmp "$scratch/runs" "$out/$shape/runs"

# --- what is too slow to be repeated

# left_if REPETITIONS TIMES: of strided's third repetition, if 1x1 took so many times as long as
# the default in these
left_if()
{
    awk -F '\t' -v OFS='\t' -v which="$1" -v times="$2" \
        '$1 == "strided" && $2 == "1x1" && index(which, $3) {$4 *= times} {print}' "$scratch/runs" > "$out/$shape/runs"
    exits 0 "strided: pattern" --shape "$shape" --workload strided --repetitions 3 --dry-run "$out" > /dev/null
    sed -n 's/^strided: .*: \([0-9]*\) runs to go.*/\1/p' "$scratch/said"
}

check "as fast as the default: repeated" [ "$(left_if '1 2' 1)" = 15 ]
check "3 times as slow once: repeated" [ "$(left_if 1 3)" = 15 ]
check "3 times as slow twice: not repeated" [ "$(left_if '1 2' 3)" = 14 ]
check "6 times as slow once: not repeated" [ "$(left_if 1 6)" = 14 ]
cp "$scratch/runs" "$out/$shape/runs"

# --- what is run: configurations in turns, hints, the driver

in_turns()
{
    awk -F '\t' '$1 == "strided" {print $3}' "$out/$shape/runs" | uniq | tr '\n' ' ' | grep -qx '1 2 1 '
}

check "configurations in turns" in_turns
check "placement by hints" grep -q \
    "romio_cb_write=enable --hint cb_nodes=8 --hint cb_buffer_size=4194304 --hint cb_config_list=n0:1,n2:1 --json $out/cluster/volume/2d" \
    "$out/cluster.log"
check "the driver by name" grep -q \
    "romio_autotune_profile=$out/$shape/profile.json .*autotune:$out/cluster/volume/2d" "$out/cluster.log"

# --- the document

sweep=$out/$shape/sweep.json
if command -v python3 > /dev/null; then
    check "sweep: a document" python3 -m json.tool "$sweep"
else
    skip "sweep: a document" "no python3"
fi
check "sweep: default" grep -q \
    '"aggregators": 4, "buffer": 16777216, "default": true, "seconds": \[1.300000, 1.300000, 1.300000, 1.300000\]' "$sweep"
check "sweep: the default's like is not there twice" [ "$(grep -c '"aggregators": 4, "buffer": 16777216' "$sweep")" -eq 4 ]
check "sweep: one default of each" [ "$(grep -c '"default": true' "$sweep")" -eq 2 ]
check "sweep: choice" grep -qF \
    '"choice": {"aggregators": 2, "buffer": 4194304, "collective": true, "status": "tuned", "seconds": [1.300000, 1.300000]}' "$sweep"
check "sweep: access" grep -qF '"bytes": 1048576, "strided": 16384, "calls": 2' "$sweep"
check "sweep: who holds what" grep -qF '"bytes": 1048576, "strided": 4096, "affinity": 0.5, "calls": 2' "$sweep"
check "sweep: wrong bytes are told" grep -qF '"bytes wrong in": "2d"' "$sweep"

done_testing
