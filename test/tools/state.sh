#!/bin/sh
# autotune state: from traces of targets with known states to a model and a state.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
expected=$top_srcdir/test/tools
cd "$scratch" || exit 99

# prints NAME ARGUMENT...: succeeds with the text in state-NAME.expected, and nothing on stderr
prints()
{
    _name=$1
    shift
    "$autotune" state "$@" > said 2> complaint || return 1
    cat complaint
    [ ! -s complaint ] && diff -u "$expected/state-$_name.expected" said
}

# refuses CODE TEXT ARGUMENT...: ends with CODE, prints nothing, complains TEXT
refuses()
{
    _code=$1 _text=$2
    shift 2
    "$autotune" state "$@" > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq "$_code" ] && [ ! -s said ] && grep -qF -e "$_text" complaint
}

# says CODE TEXT ARGUMENT...: ends with CODE, prints a line with TEXT
says()
{
    _code=$1 _text=$2
    shift 2
    "$autotune" state "$@" > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq "$_code" ] && grep -qF -e "$_text" said
}

check "--help" prints help --help
for verb in train show check watch; do
    check "$verb --help" prints "$verb-help" "$verb" --help
done
check "no command" refuses 2 "usage: autotune state"
check "an unknown command" refuses 2 "unknown command guess" guess
check "no traces" refuses 2 "traces and -o are needed" train -o model.json
check "no such trace" refuses 2 "none.trace: cannot be read" train none.trace -o model.json
check "no such kind" refuses 2 "must be one of latency, markov" train none.trace -o model.json --kind oracle
echo '{"format": "romio-autotune-trace", "version": 1, "path": "/scratch"}' > empty.trace
check "nothing to learn from" refuses 2 "have no large writes" train empty.trace -o model.json
check "nothing was written" test ! -e model.json

python3 "$expected/state_traces.py" first.trace 6 6 1
python3 "$expected/state_traces.py" later.trace 6 3 2
python3 "$expected/state_traces.py" slower.trace 6 3 2 1.4
check "training" says 0 "6 targets, 5 of them with two states" train first.trace -o model.json --report page.html
check "baselines stand beside it" sh -c "grep -q '^majority .*to be beaten' said && grep -q '^persistence .*to be beaten' said"
check "targets that are predicted" grep -qE '[345] predicted by a classifier that beats persistence and majority' said
check "a page" sh -c "grep -q 'Figure 4' page.html && grep -q 'Figure 11' page.html && ! grep -q 'nan' page.html"
cp model.json again.json
check "the same again, with one thread" says 0 "written" train first.trace -o again.json --threads 1
same_model() { sed 's/"trained": [0-9]*//' model.json > one && sed 's/"trained": [0-9]*//' again.json > two && cmp one two; }
check "the same model" same_model
check "each target alone" says 0 "5 of them with two states" train first.trace -o alone.json --per-target --kind naive_bayes
check "has a classifier of its own" grep -q '"kind": "naive_bayes"' alone.json

check "showing the model" says 0 "state model of /scratch" show model.json
check "its targets" sh -c "[ \"\$(grep -c '^ *[0-5]  ' said)\" -eq 6 ] && grep -q '^ *5 .* 1 ' said"
check "as JSON" sh -c "'$autotune' state show --json model.json | python3 -m json.tool > /dev/null"
check "a valid model" says 0 "a valid state model of 6 targets" check model.json
check "it still holds" says 0 "it still holds" check model.json later.trace
check "it does not hold" says 1 "times as long as in training: train again" check model.json slower.trace
sed 's/"deviation": [0-9.e-]*/"deviation": 0/' model.json > bad.json
check "a bad model" refuses 2 "bad.json: targets[0].idle.deviation" check bad.json
check "a trace is no model" refuses 2 "first.trace" show first.trace

# --- watching

last=$(sed -n '$s/.*"time": \([0-9]*\).*/\1/p' first.trace)
check "a state" "$autotune" state watch model.json first.trace -o state.json --once --at "$last"
check "showing it" says 0 "state of /scratch" show state.json
check "it is valid, and old" says 1 "state.json: held until" check state.json
check "its targets can be used" says 1 "a valid state of 6 targets, 6 of them usable" check state.json
sed 's/"idle": [0-9.e-]*/"idle": 2/' state.json > bad-state.json
check "a bad state" refuses 2 "bad-state.json: targets[0].idle" check bad-state.json
check "a page" says 0 "now.html: written" show model.json first.trace --page now.html --hours 12
check "with two maps" sh -c "[ \"\$(grep -c 'class=\"heat\"' now.html)\" -eq 2 ] && ! grep -qE 'nan|inf' now.html"
check "a page needs traces" refuses 2 "--page and traces belong together" show model.json --page now.html
check "a page needs a model" refuses 2 "--page needs a state model" show state.json first.trace --page now.html
check "a page that cannot be written" ends 1 "none/now.html" "$autotune" state show model.json first.trace --page none/now.html
fields()
{
    python3 - << END
import json
state = json.load(open("state.json"))
assert state["format"] == "romio-autotune-state" and state["version"] == 1 and state["path"] == "/scratch"
assert state["said"] == $last and state["until"] == $last + 600
assert [each["target"] for each in state["targets"]] == list(range(6))
for each in state["targets"]:
    assert 0 <= each["idle"] <= 1 and each.get("usable", True) and 0 <= each.get("usual", each["idle"]) <= 1
    if each["idle"] != each.get("usual", each["idle"]): # predicted
        assert 1.7 < each["idle_seconds"] < 2 and 0 < each["idle_deviation"] < 0.2
assert 2.5 < state["targets"][0]["busy_seconds"] < 2.9 and state["targets"][5]["idle"] == 1
END
}
check "what the driver reads" fields
# slow probes, a full target, one that fails
cp first.trace grown.trace
python3 - << END >> grown.trace
import json
for i in range(1, 11):
    print(json.dumps({"time": $last + 60 * i, "kind": "probe", "target": 0, "bytes": 1048576, "seconds": 0.004 * 2.2}))
print(json.dumps({"time": $last + 600, "kind": "target", "target": 1, "full": 0.99}))
print(json.dumps({"time": $last + 600, "kind": "error", "target": 2, "bytes": 1048576, "error": "EROFS"}))
END
printf '{"time": 1, "ki' >> grown.trace
check "what changed" "$autotune" state watch model.json grown.trace -o state.json --once --at $((last + 605))
changed()
{
    python3 -c 'import json
targets = json.load(open("state.json"))["targets"]
print(targets)
assert targets[0]["idle"] < 0.3
assert [each.get("usable", True) for each in targets] == [True, False, False, True, True, True]'
}
check "busy, full and failing targets" changed
check "a state that cannot be written" refuses 1 "none/state.json" watch model.json first.trace -o none/state.json --once
sed 's,"/scratch","/home",' first.trace > other.trace
check "traces of another file system" refuses 2 "the model is of /scratch" watch model.json other.trace -o state.json --once
check "--at without --once" refuses 2 "--at is for --once" watch model.json first.trace -o state.json --at 1

# A folder of traces, of which one gets another name and a successor.
mkdir traces empty
cp first.trace traces/probe-all.jsonl
check "a folder" "$autotune" state watch model.json traces -o state-folder.json --once --at "$last"
check "is as the file" "$autotune" state watch model.json first.trace -o state.json --once --at "$last"
check "to the letter" cmp state.json state-folder.json
check "a folder without traces" refuses 2 "empty: has no traces" train empty -o none.json

# Large writes only, of targets that stay busy for a day or so.
python3 - << END > days.trace
import json, random
random.seed(7)
print(json.dumps({"format": "romio-autotune-trace", "version": 1, "path": "/scratch"}))
for target in range(3):
    busy = False
    for hour in range(24 * 30):
        busy = not busy if random.random() < 1 / 30 else busy
        seconds = random.lognormvariate(1.0 if busy else 0.0, 0.1)
        print(json.dumps({"time": 1.6e9 + 3600 * hour + target, "kind": "truth", "target": target,
                          "bytes": 2 ** 30, "seconds": seconds}))
END
check "busy for days" says 0 "by persistence, which beats majority" train days.trace -o days.json --kind naive_bayes
check "as the last time" grep -q '"kind": "persistence"' days.json
check "is said" "$autotune" state watch days.json days.trace -o days-state.json --once --at $((1600000000 + 3600 * 24 * 30))
as_last()
{
    python3 - << END
import json
last = {}
for line in open("days.trace"):
    line = json.loads(line)
    if line.get("kind") == "truth":
        last[line["target"]] = line["seconds"] > 1.6
for each in json.load(open("days-state.json"))["targets"]:
    print(each["target"], each["idle"], last[each["target"]])
    assert (each["idle"] < 0.5) == last[each["target"]]
END
}
check "for each target" as_last

# Large writes have long tails; small ones show when target 0 is slow.  Nothing is known of three hours.
python3 - << END > tails.trace
import json, math, random
random.seed(3)
print(json.dumps({"format": "romio-autotune-trace", "version": 1, "path": "/scratch"}))
def noise():
    return random.lognormvariate(0, 0.05) * (1 if random.random() < 0.9 else 2 ** random.expovariate(0.7))
for minute in range(2 * 1440):
    for target in range(3):
        slow = 3 if target == 0 and minute % 480 >= 390 else 1
        if not 1800 <= minute < 1980:
            print(json.dumps({"time": 1.6e9 + 60 * minute, "kind": "probe", "target": target, "bytes": 2 ** 20,
                              "seconds": 0.005 * slow * noise()}))
        if minute % 20 == 5:
            print(json.dumps({"time": 1.6e9 + 60 * minute + 1, "kind": "truth", "target": target,
                              "bytes": 2 ** 30, "seconds": slow * noise()}))
END
check "long tails" says 0 "3 targets" train tails.trace -o tails.json
check "a page of them" says 0 "tails.html: written" show tails.json tails.trace --page tails.html --hours 24
as_seen()
{
    python3 - << END
import re
busy, latency = {}, {}
for target, time, value in re.findall(r"<title>target (\d+), time \(UTC\) (\d+:\d+): ([^<]*)</title>", open("tails.html").read()):
    (busy if "%" in value else latency)[target, time] = float(value.split()[0])
slow = [each for each in latency if latency[each] > 2]
print(len(busy), len(latency), slow, [busy.get(each) for each in slow])
assert len(slow) >= 6 and sum(busy[each] > 50 for each in slow) >= len(slow) - 1
assert all(busy[each] < 50 for each in latency if each in busy and latency[each] < 1.3)
assert len(latency) == 3 * 42 and len(busy) < 3 * 48
END
}
check "busy where it was slow" as_seen

# It goes on, and ends when it is told to.
rm -f state.json
"$autotune" state watch model.json first.trace -o state.json --every 1 > said 2> complaint &
watcher=$!
_i=0
while [ ! -s state.json ] && [ $_i -lt 100 ]; do sleep 0.1; _i=$((_i + 1)); done
first=$(sed -n 's/.*"said": \([0-9]*\).*/\1/p' state.json)
_i=0
while [ "$(sed -n 's/.*"said": \([0-9]*\).*/\1/p' state.json)" = "$first" ] && [ $_i -lt 100 ]; do sleep 0.1; _i=$((_i + 1)); done
check "it is renewed" test "$(sed -n 's/.*"said": \([0-9]*\).*/\1/p' state.json)" -gt "$first"
kill "$watcher"
check "it ends when told to" wait "$watcher"
if command -v systemd-analyze > /dev/null; then
    check "the unit is valid" systemd-analyze verify --man=no "$top_srcdir/site/state/autotune-state.service"
else
    skip "the unit is valid" "no systemd-analyze"
fi
done_testing
