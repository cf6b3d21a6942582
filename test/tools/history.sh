#!/bin/sh
# autotune history: from records and spools to lists, traces, advice and a corrected profile.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
make_spool=$top_builddir/test/unit/history/make_spool
expected=$top_srcdir/test/tools
samples=$top_srcdir/test/tools/records
cd "$scratch" || exit 99
export ROMIO_AUTOTUNE_HISTORY="$scratch/history.db"

# prints NAME ARGUMENT...: succeeds with the text in history-NAME.expected, and nothing on stderr
prints()
{
    _name=$1
    shift
    "$autotune" history "$@" > said 2> complaint || return 1
    cat complaint
    [ ! -s complaint ] && diff -u "$expected/history-$_name.expected" said
}

# refuses CODE TEXT ARGUMENT...: ends with CODE, complains TEXT
refuses()
{
    _code=$1 _text=$2
    shift 2
    "$autotune" history "$@" > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq "$_code" ] && grep -qF -e "$_text" complaint
}

# says TEXT ARGUMENT...: succeeds, prints a line with TEXT
says()
{
    _text=$1
    shift
    "$autotune" history "$@" > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq 0 ] && grep -qF -e "$_text" said
}

# --- the command line

check "--help" prints help --help
for verb in import jobs files show prune export learn; do
    check "$verb --help" prints "$verb-help" "$verb" --help
done
check "no command" refuses 2 "usage: autotune history"
check "an unknown command" refuses 2 "unknown command guess" guess
check "nothing to import" refuses 2 "a file or folder is needed" import
check "no history yet" refuses 2 "history.db: is not there" jobs
check "it was not made" test ! -e history.db
check "days must be days" refuses 2 "must be a number of days" jobs --since yesterday
check "nothing to prune" refuses 2 "--activities or --records is needed" prune
check "no format" refuses 2 "--format must be csv, perfetto or otf2" export
check "no such list" refuses 2 "--list must be jobs" export --format csv --list cats
check "a trace of nothing" refuses 2 "needs --job or --process" export --format perfetto -o x
check "no output" refuses 2 "-o FILE is needed" learn
check "half of all jobs is enough" refuses 2 "must be a share from 0 to 0.5" learn -o a.json --control 0.6

# --- imports

mkdir spools
"$make_spool" spools/autotune-node01-4711-1.spool 1 1000
"$make_spool" spools/autotune-node01-4712-2.spool 2 500
cp "$samples/version-2.json" spools/records.jsonl
cp "$samples/version-1.json" spools/not-ours.txt
check "more than a user may have" refuses 1 "4711-1.spool: is not imported" import --user-limit 64K spools/autotune-node01-4711-1.spool
check "more than all may have" refuses 1 "(--limit)" import --limit 64K spools/autotune-node01-4711-1.spool
check "more than is free" refuses 1 "(--keep-free)" import --keep-free 1000000T spools/autotune-node01-4711-1.spool
check "a folder" says "2 spools with 3000 activities, 1 records with 1 trials; 0 were known" import spools
check "the same again" says "0 spools with 0 activities, 0 records with 0 trials; 3 were known" import spools
check "a single file" says "1 records with 0 trials" import spools/not-ours.txt
check "as JSON" sh -c "'$autotune' history import --json spools | python3 -m json.tool > /dev/null"
owner() { [ "$(stat -c %a history.db)" = 600 ]; }
check "nobody else reads it" owner
printf 'garbage!garbage!' >> spools/autotune-node01-4712-2.spool
check "the others are imported" refuses 1 "autotune-node01-4712-2.spool: byte" import spools
bad() { ! "$autotune" history import --json spools > said && python3 -c 'import json; d = json.load(open("said")); assert d["bad"] == ["spools/autotune-node01-4712-2.spool"] and d["failed"] == 1, d'; }
check "which it is, as JSON" bad
"$make_spool" removed.spool 3 10
check "removed after it" says "1 spools with 20 activities" import --remove removed.spool
check "it is gone" test ! -e removed.spool
check "no such file" refuses 1 "none.jsonl: cannot be opened" import none.jsonl
check "another database" refuses 2 "is no history" jobs --db "$top_srcdir/README.md"

# --- lists

check "jobs" says "vpic" jobs
check "two jobs and a file of version 1" sh -c "[ \"\$(wc -l < said)\" -eq 4 ]"
check "of a user" says "vpic" jobs --user "$(id -un)"
check "of another user" says "job" jobs --user somebody-else
check "there are none" sh -c "[ \"\$(wc -l < said)\" -eq 1 ]"
check "jobs as JSON" sh -c "'$autotune' history jobs --json | python3 -m json.tool > /dev/null"
check "files" says "/scratch/field.1" files
check "files as JSON" sh -c "'$autotune' history files --json | python3 -m json.tool > /dev/null"
check "a job" says "node01" show job 123
check "a process" says "MPI_File_write_at" show process 1
check "its activities" says "4294967297" show process 1 --limit 3
check "a chain of calls" says "made in" show activity 4294967297
check "a record" says "/scratch/out/field.dat on node01" show record 1
check "a record as it was" sh -c "'$autotune' history show record 1 --json | cmp - '$samples/version-2.json'"
check "no such record" refuses 1 "there is no record 99" show record 99
check "no such thing" refuses 2 "must be job, process, record or activity" show cat 1
check "no number" refuses 2 "x: must be a number" show process x

# --- exports

check "CSV" says "activity,number,parent,layer,call,file" export --format csv --list activities --process 1
csv() { [ "$(wc -l < said)" -eq 2001 ] && python3 -c 'import csv; r = list(csv.reader(open("said", newline=""))); assert len(set(map(len, r))) == 1'; }
check "every activity is there" csv
for list in jobs files processes records trials; do
    check "$list as CSV" says "," export --format csv --list $list
done
# names that a spreadsheet would calculate, and that turn what a terminal shows
sed 's,"/scratch/out/field.dat","=1+1\xe2\x80\xae \\\"x\\\"",' "$samples/version-2.json" > formula.json
check "a name like a formula" says "records" import --db formula.db formula.json
check "it is none in CSV" says "\"'=1+1? \"\"x\"\"\"," export --db formula.db --format csv --list files
check "nor does it turn a list" says '=1+1? "x"' files --db formula.db
check "nor what a record shows" says '=1+1? "x" on ' show --db formula.db record 1
check "a trace" says "trace.pftrace: 3 processes" export --format perfetto --job 123 -o trace.pftrace
check "it has names" grep -aq MPI_File_write_at trace.pftrace
check "no such job" refuses 2 "there is no such job or process" export --format perfetto --job none -o x

# --- learning: runs with settings of the file's decision for reads, half of them faster

python3 - "$samples/version-2.json" > trials.jsonl << 'END'
import json, sys

sample = json.load(open(sys.argv[1]))
for i in range(24):
    record = json.loads(json.dumps(sample))
    record["started"] = "2026-11-15T%02d:30:00Z" % i
    record["user"], record["program"] = "ada", "vpic"
    fast = i % 2 == 0 and i < 16
    decision = record["decisions"][3]
    decision.update(tuned=fast)
    decision["config"].update(aggregators=8 if fast else 2)
    decision.update(rank_count=8 if fast else 2, ranks=list(range(8)) if fast else [0, 4])
    call = record["calls"][6]
    call["seconds"] = call["storage_seconds"] = (0.1 if fast else 0.25) * (1 + 0.01 * (i % 3))
    print(json.dumps(record, separators=(",", ":")))
END
check "trials" says "24 records with 24 trials" import trials.jsonl
check "advice" says "advice.json: 1 rules from 25 trials" learn -o advice.json
check "for whom" grep -q '"program": "vpic"' advice.json
check "which" grep -q '"cb_nodes": 8' advice.json
check "why" grep -q '"runs": 8' advice.json
check "all classes" says "too few runs without advice" learn -o advice.json --all
sed 's/"source": "history"/"source": "hand"/' advice.json > edited && cp edited advice.json
check "rules by hand stay" says "advice.json: 2 rules" learn -o advice.json
echo '{"format": "romio-autotune-state"}' > state.json
check "other files are not replaced" refuses 2 "state.json: format" learn -o state.json
check "it is as it was" grep -q state state.json

# nine seconds for 128 MiB are more than any profile expects
sed 's/"seconds":0\.[0-9]*,"storage_seconds":0\.[0-9]*,"bytes":134217728,"accesses":8}\],"dropped"/"seconds":9.5,"storage_seconds":9,"bytes":134217728,"accesses":8}],"dropped"/' \
    trials.jsonl > slow.jsonl
generic=$top_srcdir/models/profiles/generic.json
check "slow runs" says "24 records with 24 trials" import --db slow.db slow.jsonl
check "a corrected profile" says "new.json: " learn --db slow.db --profile "$generic" -o new.json
check "by what was measured" grep -q 'read_.* corrected' said
check "it is valid" "$autotune" profile check new.json
check "it says so" grep -q '"correction"' new.json
differs() { ! "$autotune" profile diff "$generic" new.json > said && grep -q 'cost of the second' said; }
check "it differs" differs
check "never over another" refuses 2 "must be a file that is not there yet" learn --profile "$generic" -o new.json

# --- what is old

check "pruning" says "removed 3 processes" prune --activities 0.001
check "nothing is left" says "process" export --format csv --list processes
check "but the head" sh -c "[ \"\$(wc -l < said)\" -eq 1 ]"
done_testing
