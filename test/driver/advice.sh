#!/bin/sh
# Advice: which rule holds, what it fixes, and files that cannot be used.
. "${top_srcdir:?}/test/lib.sh"

advice=$top_builddir/test/driver/advice
osts=$top_builddir/test/grounds/lustre/osts
fs=ufs
mkdir -p "$scratch/d" "$scratch/config/romio-autotune"
export XDG_CONFIG_HOME="$scratch/config"
# users are known without their variables
unset ROMIO_AUTOTUNE_ADVICE SLURM_JOB_ID PBS_JOBID LOGNAME USER
user=$(id -un)

# rules RULE...: advice.json, each rule as MATCH => SET and what may follow it; ada is this user
rules()
{
    printf '{"format": "romio-autotune-advice", "version": 1, "rules": ['
    _between=''
    for _rule; do
        printf '%s\n{"match": {%s}, "set": {%s}}' "$_between" "${_rule%% => *}" "${_rule#* => }" |
            sed "s/\"ada\"/\"$user\"/"
        _between=,
    done
    printf '\n]}\n'
}

# run [KEY VALUE]...: what a new file says is in $scratch/said, its record in $scratch/record
run()
{
    rm -f "$scratch/d/file.7" "$scratch/record"
    again "$@"
}
# of the file that is there
again()
{
    over $fs mpi 4 "$advice" "$scratch/d/file.7" romio_autotune_record "$scratch/record" "$@" > "$scratch/said" 2>&1
    set -- $?
    cat "$scratch/said"
    return "$1"
}
# with RULE...: run with these rules
with()
{
    rules "$@" > "$scratch/advice.json"
    run romio_autotune_advice "$scratch/advice.json"
}
says() { grep -qxF -e "# $1" "$scratch/said"; }
status_has() { grep '^# romio_autotune_status ' "$scratch/said" | grep -qF -e "$1"; }
plain() { ! status_has advised; }
# what does not depend on time, nor on the hint
lasting() { grep '^# ' "$scratch/said" | grep -v '^# romio_autotune_\(advice\|predicted\)'; }

# --- without a rule, nothing changes

check "no advice" run
lasting > "$scratch/before"
check "has a status" grep -q '^# romio_autotune_status default: ' "$scratch/said"
check "its record names the program" grep -qF '"program":"advice"' "$scratch/record"
check "and the user" grep -qF "\"user\":\"$user\"" "$scratch/record"
check "and is not advised" sh -c "! grep -q advised '$scratch/record'"
# unchanged: info and record are as they were, but for times
unchanged()
{
    lasting | cmp - "$scratch/before" && ! grep -q advised "$scratch/record"
}
for match in '"program": "advic"' '"program": "other", "user": "ada"' '"user": "bob"' '"file": "*.h5"' \
    '"user": "ada", "operation": "read", "ranks": [5, 8]' '"user": "ada", "ranks": [1, 3]' \
    '"user": "ada", "bytes": [0, 4194303]' '"user": "ada", "bytes": [4194305, 8388607]'; do
    check "of another: $match" with "$match => \"cb_nodes\": 3"
    check "is not followed" unchanged
done
check "only for HDF5" with '"user": "ada" => "hdf5_alignment": [0, 1048576]'
check "is none of ours" unchanged
check "striping" with '"user": "ada" => "striping_factor": 3, "romio_lustre_co_ratio": 2'
check "is Lustre's" unchanged

# --- a rule is followed

check "all matches" with \
    '"program": "advice", "user": "?*", "file": "*/d/file.*", "operation": "write", "ranks": [4, 7], "bytes": [4194304, 8388607] => "cb_nodes": 3, "cb_buffer_size": 1048576, "romio_cb_write": "enable"'
check "aggregators" says "cb_nodes 3"
check "buffer" says "cb_buffer_size 1048576"
check "two-phase I/O" says "romio_cb_write enable"
check "the status names the rule" says "romio_autotune_status tuned; advised by rules[0] (by hand)"
check "the record does, too" grep -qF '"reason":"advised by rules[0] (by hand); beyond it: ' "$scratch/record"
check "as advised" grep -qF '"advised":true' "$scratch/record"
check "the read is not" grep -q '"advised":true}.*"write":false' "$scratch/record"
check "the first of two" with '"file": "*.8" => "cb_nodes": 4' '"file": "*.7" => "cb_nodes": 2' '"user": "ada" => "cb_nodes": 3'
check "that match" says "cb_nodes 2"
check "by its index" status_has "advised by rules[1] ("
check "more aggregators than ranks" with '"user": "ada" => "cb_nodes": 64'
check "are all ranks" says "cb_nodes 4"
check "only a buffer" with '"user": "ada" => "cb_buffer_size": 2097152'
check "is set" says "cb_buffer_size 2097152"
check "with ROMIO's aggregators" says "romio_aggregator_list 0 "
evidence='"source": "history", "runs": 60, "seconds": 1.9, "interval": [1.8, 2.1], "default_seconds": 4, "when": "2026-11-14T08:30:00Z"'
rules '"user": "ada" => "cb_nodes": 2' | sed "s/\"set\": {\"cb_nodes\": 2}/&, \"evidence\": {$evidence}/" > "$scratch/evidence.json"
check "evidence" run romio_autotune_advice "$scratch/evidence.json" romio_autotune_explain stderr
check "is in the status" status_has "advised by rules[0] (history: 60 runs, 1.9 s instead of 4 s)"
check "and in the explanation" grep -q "as advised, 2 x " "$scratch/said"
check "as a document" run romio_autotune_advice "$scratch/evidence.json" romio_autotune_explain "$scratch/explained"
check "that names file, rule and evidence" grep -qF \
    "\"advice\":{\"file\":\"$scratch/evidence.json\",\"rule\":0,\"left_out\":false,\"set\":[\"cb_nodes\"],\"evidence\":{\"source\":\"history\",\"runs\":60," \
    "$scratch/explained"

# --- the user's hints come first

rules '"user": "ada" => "cb_nodes": 2, "cb_buffer_size": 1048576, "romio_cb_write": "enable"' > "$scratch/advice.json"
check "a hint" run romio_autotune_advice "$scratch/advice.json" cb_nodes 3
check "wins" says "cb_nodes 3"
check "and the rest is advised" says "cb_buffer_size 1048576"
check "two hints" run romio_autotune_advice "$scratch/advice.json" cb_nodes 1 cb_buffer_size 3145728
check "win" says "cb_buffer_size 3145728"
check "hints for all of it" run romio_autotune_advice "$scratch/advice.json" cb_nodes 1 cb_buffer_size 3145728 romio_cb_write automatic
check "leave nothing to advise" plain
check "nor does a list of aggregators" run romio_autotune_advice "$scratch/advice.json" cb_config_list "*:1"
check "which is kept" says "cb_nodes 1"
check "the record tells that there are hints" grep -q '"hinted":true' "$scratch/record"
check "a cap on memory" run romio_autotune_advice "$scratch/advice.json" romio_autotune_memory 1M
check "leaves no choice, which is said" status_has "romio_autotune_advice=rules[0] ignored: no configuration is allowed"
value_of() { sed -n "s/^# $1 //p" "$scratch/said"; }
check "and is kept" test $(($(value_of cb_nodes) * $(value_of cb_buffer_size))) -le 1048576
check "switched off" run romio_autotune_advice "$scratch/advice.json" romio_autotune disable
check "nothing is advised" plain
check "without hints" run romio_autotune_advice built-in
check "the record does not tell of any" sh -c "! grep -q hinted '$scratch/record'"

# --- where it is looked for

cp "$scratch/advice.json" "$scratch/config/romio-autotune/advice.json"
check "the user's own" run
check "is found" says "cb_nodes 2"
check "built-in" run romio_autotune_advice built-in
check "is none" unchanged
rules '"user": "ada" => "cb_nodes": 4' > "$scratch/other.json"
export ROMIO_AUTOTUNE_ADVICE="$scratch/other.json"
check "the variable" run
check "comes before it" says "cb_nodes 4"
check "the hint" run romio_autotune_advice "$scratch/advice.json"
check "comes first" says "cb_nodes 2"
unset ROMIO_AUTOTUNE_ADVICE
rm "$scratch/config/romio-autotune/advice.json"
rules '"user": "ada" => "cb_nodes": 3' > "$scratch/advice.json.new"
export ADVICE_REPLACE="$scratch/advice.json"
check "while a program runs" run romio_autotune_advice "$scratch/advice.json"
unset ADVICE_REPLACE
check "it is replaced" test "$(sed -n 's/^# cb_nodes //p' "$scratch/said" | tr '\n' ' ')" = "2 3 "

# --- what is learned from records holds for what they were made of

autotune=$top_builddir/tools/autotune/autotune
yesterday=$(date -u -d yesterday +%Y-%m-%d)
# made SECONDS FIRST: ten records of the last run, with such times of the write, of every other minute of an
# hour of yesterday from the first one on
made()
{
    for _digit in 0 1 2 3 4 5 6 7 8 9; do
        _started=$(printf '%sT10:%02d:00Z' "$yesterday" $((2 * _digit + $2)))
        sed "s/\(\"calls\":\[{\"call\":1,\"write\":true,\"at\":[^,]*,\"seconds\":\)[^,]*/\1$1$_digit/; s/\(\"started\":\"\)[^\"]*/\1$_started/" "$scratch/record"
    done
}
learned()
{
    "$autotune" history import --db "$scratch/history.db" "$scratch/records" &&
        "$autotune" history learn --db "$scratch/history.db" --control 0 -o "$scratch/learned.json" &&
        cat "$scratch/learned.json" && grep -qF '"program": "advice"' "$scratch/learned.json"
}
check "hints that were fast once" run cb_nodes 2
made 1.00 0 > "$scratch/records"
check "and the default, slow in between" run
made 2.00 1 >> "$scratch/records"
check "are learned from" learned
check "with what was learned" run romio_autotune_advice "$scratch/learned.json"
check "a program gets them" says "cb_nodes 2"
check "by a rule of the history" status_has "(history: 9 runs, 1 s instead of 2 s)"

# --- one job in ten, or as many as a rule says, goes without

rules '"user": "ada" => "cb_nodes": 2' | sed 's/"set": {"cb_nodes": 2}/&, "control": 0.5/' > "$scratch/control.json"
jobs() { for _job in 1 2 3 4 5 6 7 8; do SLURM_JOB_ID=$_job run romio_autotune_advice "$scratch/control.json" > /dev/null && sed -n 's/^# cb_nodes //p' "$scratch/said"; done; }
jobs > "$scratch/jobs"
check "some jobs are advised" grep -qx 2 "$scratch/jobs"
check "some are not" grep -qx 1 "$scratch/jobs"
jobs > "$scratch/same"
check "the same ones" cmp "$scratch/jobs" "$scratch/same"

# --- what cannot be used: the program runs as without, and the status says why

# refused WHY FILE
refused()
{
    run romio_autotune_advice "$2" && plain && status_has "romio_autotune_advice=" && status_has "$1"
}
rules '"user": "ada" => "cb_nodes": 2' > "$scratch/advice.json"
check "a file that is not there" refused "none.json: cannot be opened" "$scratch/none.json"
check "a folder" refused "d: is not a file" "$scratch/d"
mkfifo "$scratch/pipe"
check "a pipe" refused "pipe: is not a file" "$scratch/pipe"
head -c 90 "$scratch/advice.json" > "$scratch/half.json"
check "half a file" refused "half.json: " "$scratch/half.json"
: > "$scratch/empty.json"
check "an empty one" refused "empty.json: " "$scratch/empty.json"
sed 's/"version": 1/"version": 2/' "$scratch/advice.json" > "$scratch/newer.json"
check "a newer one" refused "newer romio-autotune" "$scratch/newer.json"
sed 's/"cb_nodes": 2/"cb_nodes": -2/' "$scratch/advice.json" > "$scratch/wrong.json"
check "a wrong number" refused "rules[0].set.cb_nodes" "$scratch/wrong.json"
sed 's/"cb_nodes": 2/"striping_unit": 100000/' "$scratch/advice.json" > "$scratch/odd.json"
check "stripes that Lustre does not take" refused "must be a multiple of 65536" "$scratch/odd.json"
check "a profile" refused "profile.json: format" "$top_srcdir/test/tools/profile.json"
too_long() { XDG_CONFIG_HOME=/$(printf '%05000d' 0) run && plain && status_has "romio_autotune_advice=advice.json ignored: the advice's path is too long"; }
check "a path that is too long" too_long

# --- layouts of new files on Lustre

fs=lustre
export STANDIN_OSTS=8 STANDIN_LAYOUT=1:1048576
stripes() { over lustre "$osts" --targets "$scratch/d/file.7" | wc -w; }
rules '"user": "ada", "operation": "write" => "striping_factor": 3, "striping_unit": 131072, "cb_nodes": 3' > "$scratch/advice.json"
check "a new file" run romio_autotune_advice "$scratch/advice.json"
check "has the stripes that are advised" test "$(stripes)" -eq 3
check "of that size" says "striping_unit 131072"
check "and its aggregators" says "cb_nodes 3"
check "which the record tells" grep -q '"advised":true.*"layout":{"stripe_size":131072,"stripe_count":3,' "$scratch/record"
check "hints" run romio_autotune_advice "$scratch/advice.json" striping_factor 2
check "come first" test "$(stripes)" -eq 2
check "a file that exists" again romio_autotune_advice "$scratch/advice.json"
check "stays as it is" test "$(stripes)" -eq 2
check "with what else is advised" says "cb_nodes 3"
check "more stripes than there are" with '"user": "ada" => "striping_factor": 100'
check "are all" test "$(stripes)" -eq 8
check "which is said" status_has "100 stripes of 1048576 bytes were requested, but the file has 8"
done_testing
