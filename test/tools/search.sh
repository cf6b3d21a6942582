#!/bin/sh
# autotune search, with a program whose time is known and, at the end, a real one.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
expected=$top_srcdir/test/tools
fake=$top_srcdir/test/tools/search-fake.sh
cd "$scratch" || exit 99
export ROMIO_AUTOTUNE_SPACES="$top_srcdir/tune/search/spaces" SEARCH_RECORD="$expected/records/version-2.json"
unset ROMIO_AUTOTUNE ROMIO_AUTOTUNE_RECORD

cat > space.json << 'END'
{ "format": "romio-autotune-space", "version": 1, "parameters": [
  { "name": "cb_nodes", "values": [1, 2, 4, 8, 16, 32] },
  { "name": "cb_buffer_size", "values": [1048576, 2097152, 4194304, 8388608, 16777216] },
  { "name": "hdf5.fill_time", "values": ["never"] } ] }
END

# searches ARGUMENT...: succeeds; stdout to said, stderr to progress; no run is hopeless, however
# busy the machine is
searches()
{
    "$autotune" search --space space.json --hopeless 0 "$@" > said 2> progress
    _rc=$?
    cat said progress
    [ $_rc -eq 0 ]
}

refuses()
{
    _code=$1 _text=$2
    shift 2
    "$autotune" search "$@" > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq "$_code" ] && grep -qF -e "$_text" complaint
}

says()
{
    grep -qF -e "$1" said || { cat said; return 1; }
}

# --- the command line and files

"$autotune" search --help > said
check "--help" diff -u "$expected/search-help.expected" said
check "no command" refuses 2 "a command is needed"
check "no such strategy" refuses 2 "must be model, genetic, random or exhaustive" --strategy luck -- true
check "no such metric" refuses 2 "must be record, wall or command" --metric luck -- true
check "no time" refuses 2 "is not a time" --time soon -- true
check "no limit" refuses 2 "is not a time" --limit -1s -- true
check "half is hopeless" refuses 2 "must be a factor" --hopeless 0.5 -- true
check "one pair" refuses 2 "at least 2" --pairs 1 -- true
check "files of no record" refuses 2 "--file needs --metric record" --metric wall --file x -- true
check "no such space" refuses 1 "moon: is no file" --space moon -- true
sed 's/16, 32/32, 16/' space.json > bad.json
check "a bad space" refuses 2 "bad.json: parameters[0].values[5]: must be above" --space bad.json -- true
check "no such parameter" refuses 2 "cats: not all of these are parameters" --space space.json --parameters cats -- true
check "nothing was begun" test ! -e autotune-search

# --- each strategy finds what is best

best="best: cb_nodes=16 cb_buffer_size=8M hdf5.fill_time=never"
for strategy in model exhaustive; do
    check "$strategy" searches --output $strategy --metric command --strategy $strategy --program fake -- "$fake" log-$strategy
    check "$strategy finds the best" says "$best"
    check "$strategy says how much" says "x4.00"
done
check "exhaustive: all points and nine checks" test "$(wc -l < log-exhaustive)" -eq $((7 * 6 * 2 + 9))
check "model: far fewer" test "$(wc -l < log-model)" -le 60
for strategy in genetic random; do
    check "$strategy" searches --output $strategy --metric command --strategy $strategy --runs 30 --program fake -- "$fake" log-$strategy
    check "$strategy: as many runs as it may" test "$(wc -l < log-$strategy)" -le 30
done
check "several at a time" searches --output parallel --parallel 4 --metric command --runs 40 --program fake -- "$fake" log-parallel
check "several at a time find it too" says "$best"

# --- what remains

rule()
{
    python3 - model/advice.json << 'END'
import json, sys
rules = json.load(open(sys.argv[1]))["rules"]
assert len(rules) == 1, rules
rule = rules[0]
assert rule["match"] == {"program": "fake", "file": "*/field.dat", "ranks": [8, 15]}, rule
assert rule["set"] == {"cb_nodes": 16, "cb_buffer_size": 8388608, "hdf5": {"fill_time": "never"}}, rule
e = rule["evidence"]
assert e["source"] == "search" and e["seconds"] == 1 and e["default_seconds"] == 4 and e["runs"] >= 2, e
END
}
check "a rule" rule
check "which autotune explain follows" sh -c "'$autotune' explain --nodes 2 --ranks-per-node 4 --bytes 1M --profile built-in --advice model/advice.json --program fake --file /scratch/field.dat | grep -q 'rules\\[0\\] (search'"
page() { xmllint --noout --html model/search.html && grep -q 'cb_nodes=16' model/search.html && ! grep -Eq '<script|https?://' model/search.html; }
check "a page that needs nothing else" page
check "no folders of runs" test -z "$(ls model/runs)"
check "the same again" searches --output model --metric command --program fake -- "$fake" log-model
check "runs nothing" sh -c "! grep -q '^run ' progress"
check "more runs go on" searches --output genetic --metric command --strategy genetic --runs 34 --program fake -- "$fake" log-genetic
check "with some that are new" sh -c "grep -q '^run ' progress"
check "each once" test -z "$(sort log-genetic | uniq -d)"
check "it is verified" searches --output model --verify --pairs 3 --metric command --program fake -- "$fake" log-model
check "in turn" says "(95 %: 4.00 to 4.00, 3 verified runs of each)"
check "three of each" test "$(grep -c '^verify-' log-model)" -eq 6
check "another command" refuses 2 "is of a search with another command" --space space.json --output model --metric command --program fake -- "$fake" log-other
check "another space" refuses 2 "is of a search with another space" --space plain --output model --metric command --program fake -- "$fake" log-model
check "another seed" refuses 2 "is of a search with another seed" --space space.json --seed 2 --output model --metric command -- "$fake" log-model

# --- rules of others

cat > others.json << 'END'
{ "format": "romio-autotune-advice", "version": 1, "rules": [
  { "match": { "program": "other" }, "set": { "cb_nodes": 3 } } ] }
END
cp others.json others.before
check "beside rules of others" searches --output model --metric command --program fake --merge others.json -- "$fake" log-model
check "there are two" says "(2 rules)"
check "theirs is as it was" cmp others.json others.before
check "not twice" searches --output model --metric command --program fake --merge others.json -- "$fake" log-model
check "there are two" says "(2 rules)"
check "whose program is not known" searches --output model --metric command -- "$fake" log-model
check "but its files are, by the record" says "(3 rules)"
echo '{}' > bad-advice.json
check "bad advice" refuses 2 "bad-advice.json: format" --space space.json --output model --metric command --program fake --merge bad-advice.json -- "$fake" log-model

# --- records

check "by the record" searches --output record --runs 30 -- "$fake" log-record record
check "which tells the program's files" grep -q '"file": "\*/field.dat"' record/advice.json
check "and what is predicted" grep -q "predictions are of" progress
check "only some files" searches --output some --runs 12 --file '*.dat' -- "$fake" log-some record
check "none of them" refuses 1 "all of 5 runs failed" --space space.json --output none-of --file '*.h5' -- "$fake" log-none record
check "no record" refuses 1 "the first run left no record, so no setting would change anything: no program in the command" --space space.json --output none -- "$fake" log-absent none
check "nor with another metric" refuses 1 "the first run left no record" --space space.json --output none-wall --metric wall -- "$fake" log-absent none
check "one run of each" test "$(wc -l < log-absent)" -eq 2
check "the same again" refuses 1 "the first run left no record" --space space.json --output none -- "$fake" log-absent none
check "runs nothing" test "$(wc -l < log-absent)" -eq 2
check "a broken record" refuses 1 "all of 5 runs failed" --space space.json --output broken -- "$fake" log-none broken
cat > same << 'END'
#!/bin/sh
cat "$SEARCH_RECORD" >> "$ROMIO_AUTOTUNE_RECORD"
echo 3
END
chmod +x same
check "what makes no difference" searches --output made-no-difference --metric command --runs 8 --program fake -- ./same
check "has no best" says "best: default, as far as these runs show"
check "nor with one run of each" searches --output once --metric command --runs 2 --program fake -- "$fake" log-once
check "has no best" says "best: default, as far as these runs show"
check "and no interval" sh -c "! grep -qE '95 %( interval|:)' said once/search.html"
check "the wall" searches --output wall --metric wall --runs 8 --program fake -- "$fake" log-wall

# --- only what can change anything

cat > wide.json << 'END'
{ "format": "romio-autotune-space", "version": 1, "parameters": [
  { "name": "striping_factor", "values": [4, 8] },
  { "name": "stripe", "sets": ["striping_unit", "cb_buffer_size"], "values": [1048576, 8388608] },
  { "name": "cb_nodes", "values": [1, 16] },
  { "name": "romio_cb_read", "values": ["disable", "enable"] },
  { "name": "hdf5.fill_time", "values": ["never"] } ] }
END
# narrowed EXPRESSION: the records as this makes them, with an HDF5 file or one that has none
narrowed()
{
    printf '\211HDF\r\n\032\n' > field.h5
    echo "no HDF5" > field.dat
    sed "s,/scratch/out/field.dat,$PWD/field.dat,;$1" "$expected/records/version-2.json" > narrow-record
    rm -rf narrow
    SEARCH_RECORD=narrow-record "$autotune" search --space wide.json --hopeless 0 --output narrow --metric command \
        --strategy exhaustive --program fake -- "$fake" log-narrow > said 2> progress
    _rc=$?
    cat said progress
    return $_rc
}
fixed() { grep -qF "not varied: $1" progress; }
apart='s/"calls":[0-9]*,"seconds":[0-9.]*,"acc/"calls":0,"seconds":0,"acc/g'
check "no stripes, no HDF5" narrowed ''
check "no stripes" fixed "striping_factor: the files are on no file system with stripes"
check "no HDF5" fixed "hdf5.fill_time: it does not use HDF5"
check "what has a meaning elsewhere stays" sh -c "grep -q 'stripe=8M' said && grep -q 'cb_nodes=16' said"
check "nothing else is set" sh -c "! grep -qE 'striping_factor=|fill_time=' said narrow/search.html"
check "the space itself is as it was" grep -q 'striping_factor' narrow/journal.jsonl
check "stripes and HDF5" narrowed 's/field.dat/field.h5/;s/"wrapped":"ufs"/"wrapped":"lustre"/'
check "are varied" sh -c "grep -q 'striping_factor=8' said && grep -q 'fill_time=never' said && ! grep -qE 'not varied.*(striping|hdf5)' progress"
check "no collective call" narrowed "s/field.dat/field.h5/;$apart"
check "is said" fixed "stripe, cb_nodes: it made no collective call"
check "no aggregators" sh -c "! grep -q 'cb_nodes=' said"
vain() { ! narrowed "$apart" && grep -qF "nothing in the space wide.json would change anything in this program" progress; }
check "nothing at all" vain
check "is said after one run" test "$(grep -c '^run ' progress)" -eq 1

# --- runs that fail

for mode in fail garbage; do
    check "$mode" searches --output $mode --metric command --strategy exhaustive --parameters cb_nodes --program fake -- "$fake" log-$mode $mode
    check "$mode: the others count" says "best: cb_nodes=16"
    check "$mode: it is told" grep -q '(failed)' progress
    check "$mode: its folder is kept" test -n "$(ls $mode/runs)"
done
check "the last line of its errors" grep -q "exit code 3: no such aggregator" fail/journal.jsonl
check "hanging" searches --output hang --metric command --limit 20s --strategy exhaustive --parameters cb_nodes --program fake -- "$fake" log-hang hang
check "hanging: the others count" says "best: cb_nodes=16"
check "hanging: it is told" grep -q 'was not done after 20 s' progress
# killed, whether or not the process that inherited them has asked
gone()
{
    [ -s log-hang.children ] || return 1
    for _pid in $(cat log-hang.children); do
        ! grep '^State:[[:space:]]*[RSDTt]' "/proc/$_pid/status" 2> /dev/null || return 1
    done
}
check "hanging: its children are gone" gone
check "all fail" refuses 1 "all of 5 runs failed; the first one: failed with exit code 3" --space space.json --output always --metric command -- "$fake" log-always always
check "where to look" grep -q 'what they printed is in' complaint
check "no program" refuses 1 "cannot be run" --space space.json --output no-program --metric command -- ./no-such-program
check "before fails" refuses 1 "what is to be done before" --space space.json --output before --metric command --before false -- "$fake" log-before
check "before" searches --output before2 --metric command --runs 3 --before 'echo x >> before-log' --program fake -- "$fake" log-before2
check "before each" test "$(wc -l < before-log)" -eq "$(wc -l < log-before2)"
check "a launcher, names of runs" searches --output launched --metric command --runs 3 --launcher 'env X=y' --program fake -- sh -c 'cat "$SEARCH_RECORD" >> "$ROMIO_AUTOTUNE_RECORD"; echo {run} $X >> launched-log; echo 1'
check "are in the command" grep -q '^explore-0-[0-9a-f]* y$' launched-log

# With one aggregator it never ends; a second is the least that a run is given.
cat > slow << 'END'
#!/bin/sh
cat "$SEARCH_RECORD" >> "$ROMIO_AUTOTUNE_RECORD"
if [ "$ROMIO_AUTOTUNE_ADVICE" != built-in ] && grep -q '"cb_nodes": 1$' "$ROMIO_AUTOTUNE_ADVICE"; then
    exec sleep 100000
fi
END
chmod +x slow
check "hopeless runs" searches --hopeless 2 --output slow-runs --parameters cb_nodes --strategy exhaustive --metric wall -- ./slow
check "are stopped" grep -q 'stopped after' progress

# --- another MPICH

. "$top_srcdir/test/tools/foreign.lib.sh"
check "a program of another MPICH" searches --library "$driver" --output foreign-runs --metric command --runs 4 -- ./foreign
check "which it says" grep -q "foreign uses MPICH 4.1: the driver is preloaded, for all files" progress
check "has the driver in each run" sh -c "[ -s foreign-log ] && ! grep -qvxF '$driver' foreign-log"
if [ -e "${LIBDIR%/*}/bin/autotune" ]; then
    skip "with autotune elsewhere in PATH" "it is installed, and found there"
else
    mkdir lone
    cp "${autotune%/*}/autotune-search" lone/
    elsewhere()
    {
        env PATH="${autotune%/*}:$PATH" lone/autotune-search --space space.json --library "$driver" --output lone-runs \
            --metric command --runs 2 -- ./foreign
    }
    check "with autotune elsewhere in PATH" elsewhere
fi
rm foreign-log
check "not twice" searches --output once-preloaded --metric command --runs 2 -- "$autotune" run --quiet --library "$driver" -- ./foreign
check "in no run" sh -c "[ -s foreign-log ] && ! grep -qvxF '$driver' foreign-log"
check "without the library" refuses 1 "(--library)" --space space.json --library ./no-library --output foreign-none -- ./foreign
check "nothing was begun" test ! -e foreign-none

# --- HDF5

watch=$top_builddir/watch/.libs/libautotune-watch.so
if [ -e "$watch" ]; then
    rm foreign-log
    check "a program of HDF5" searches --library "$driver" --watch-library "$watch" --output hdf5 --metric command --runs 6 -- ./foreign5
    check "which it says, too" grep -q "foreign5 uses HDF5: what sets it is preloaded" progress
    check "is set in each run" sh -c "[ -s foreign-log ] && ! grep -qvxF '$watch:$driver hdf5' foreign-log"
    rm foreign-log
    check "not without its settings" searches --library "$driver" --watch-library "$watch" --parameters cb_nodes --output no-hdf5 --metric command --runs 4 -- ./foreign5
    check "nor where the program is watched" searches --library "$driver" --output hdf5-watched --metric command --runs 4 -- \
        "$autotune" run --quiet --library "$driver" --watch-library "$watch" --watch=survey -- ./foreign5
    check "is set in no run" sh -c "[ -s foreign-log ] && ! grep -qE ' .*hdf5' foreign-log"
    check "which it says as well" grep -q 'settings of HDF5 work only in a program that is started by' progress
else
    skip "a program of HDF5" "no library sees calls here"
fi
check "without the library" searches --library "$driver" --watch-library ./no-library --output hdf5-none --metric command --runs 6 -- ./foreign5
check "why is said" grep -q 'foreign5 uses HDF5, which nothing sets: ./no-library: No such file or directory (--watch-library)' progress
check "nothing of HDF5 is varied" sh -c "grep -q 'not varied: hdf5.fill_time: nothing sets what HDF5 does' progress && ! grep -q 'fill_time=' said"

# --- signals: runs are ended, nothing is written of them

"$autotune" search --space space.json --output ended --metric command -- sh -c 'echo $$ > ended-pid; exec sleep 100000' > said 2>&1 &
pid=$!
while [ ! -s ended-pid ]; do sleep 0.1; done
kill -TERM $pid
wait $pid
code=$?
check "ended by a signal" test $code -eq 143
check "which it says" grep -q "the same command goes on" said
check "the run is ended, too" sh -c '! kill -0 "$(cat ended-pid)" 2> /dev/null'
check "no result" sh -c '! grep -q "\"result\"" ended/journal.jsonl'

# --- files of H5Tuner

cat > config.xml << 'END'
<Parameters>
  <High_Level_IO_Library> <alignment> 0, 65536 </alignment> </High_Level_IO_Library>
  <Middleware_Layer> <cb_nodes> 12 </cb_nodes> </Middleware_Layer>
  <Parallel_File_System>
    <striping_factor FileName="sample.h5part"> 4 </striping_factor>
    <striping_factor> 16 </striping_factor>
    <bglockless> 1 </bglockless>
  </Parallel_File_System>
</Parameters>
END
check "converted" sh -c "'$autotune' search --import config.xml --output converted > said 2> progress && cat said"
check "two rules" says "(2 rules)"
check "what there is no setting for" grep -q "left out, for there are no such settings: bglockless" progress
check "begun with" searches --output imported --import config.xml --metric command --runs 4 --keep --program fake -- "$fake" log-imported
check "its settings" grep -q '"cb_nodes": 12' imported/runs/explore-1-*/advice.json
echo '<Parameters><M><cb_nodes>x</cb_nodes></M></Parameters>' > bad.xml
check "a bad one" refuses 2 "bad.xml:1: cb_nodes: must be a number" --import bad.xml --output bad-xml

# --- the driver

mkdir data
check "a real program" searches --output real --runs 10 --keep --parameters cb_nodes -- \
    "$MPIEXEC" -n 4 "$top_builddir/tools/write/autotune-write" --bytes 256K --block 16K --repeats 2 "$scratch/data"
check "follows what a run sets" sh -c "grep -l '\"advised\":true' real/runs/explore-*/record.jsonl | grep -q ."
check "the default does not" sh -c "! grep -q '\"advised\":true' real/runs/explore-0-*/record.jsonl"
check "is predicted" grep -q "predictions are of" progress
done_testing
