#!/bin/sh
# autotune compare, with programs that only sleep and, at the end, a real one.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
expected=$top_srcdir/test/tools
cd "$scratch" || exit 99
export TMPDIR=$scratch
unset ROMIO_AUTOTUNE ROMIO_AUTOTUNE_RECORD

export CMOCKA_MESSAGE_OUTPUT=TAP
check_tap "options" "$top_builddir/test/unit/tools/test_options"
check_tap "stats" "$top_builddir/test/unit/tools/test_stats"

# A program whose duration depends on the mode, and that tells how it was run.
cat > program << 'END'
#!/bin/sh
echo "$ROMIO_AUTOTUNE ${ROMIO_FSTYPE_FORCE-} $*" >> runs
echo "hello from the program"
case $ROMIO_AUTOTUNE in disable) sleep 0.3 ;; *) sleep 0.1 ;; esac
counters='"accesses":1,"bytes":1,"storage_microseconds":1,"calls":0,"microseconds":0'
echo '{"format":"romio-autotune-record","version":1,"file":"a","wrapped":"ufs","status":"","ranks":1,"read":{'$counters'},"write":{'$counters'}}' >> "$ROMIO_AUTOTUNE_RECORD"
END
# One that leaves the record of a file.
cat > recorder << 'END'
#!/bin/sh
case $ROMIO_AUTOTUNE in disable) us=3000000 ;; *) us=1000000 ;; esac
counters='"accesses":1,"bytes":1,"storage_microseconds":1'
for file in a b; do
    echo '{"format":"romio-autotune-record","version":1,"file":"'$file'","wrapped":"ufs","status":"","ranks":1,"read":{"calls":0,"microseconds":0,'$counters'},"write":{"calls":1,"microseconds":'$us','$counters'}}'
done >> "$ROMIO_AUTOTUNE_RECORD"
END
chmod +x program recorder

# compares ARGUMENT...: succeeds; stdout to said, stderr to progress
compares()
{
    rm -f runs
    "$autotune" compare "$@" > said 2> progress || { cat said progress; return 1; }
}

# says PATTERN FILE
says()
{
    grep -Eq -e "$1" "$2" || { cat "$2"; return 1; }
}

refuses()
{
    _code=$1 _text=$2
    shift 2
    "$autotune" compare "$@" > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq "$_code" ] && [ ! -s said ] && grep -qF -e "$_text" complaint
}

"$autotune" compare --help > said
check "--help" diff -u "$expected/compare-help.expected" said

check "a program is compared" compares --runs 3 --log log -- ./program one "two words"
cat said
number='[0-9]+\.[0-9]{3}'
check "with its arguments" says '^disable  one two words$' runs
check "three runs of each" test "$(grep -c ^disable runs) $(grep -c ^enable runs)" = "3 3"
check "a table of pairs" says '^3 +[0-9.]+ m?s +[0-9.]+ m?s +'"$number"'$' said
check "its medians" says '^median +[0-9.]+ m?s +[0-9.]+ m?s$' said
check "the speed-up" says "^speed-up: $number \(ratio of medians, wall-clock time\)$" said
check "its interval" says "^  95 % confidence interval: $number to $number$" said
check "its quartiles" says "^  pairs: median $number, quartiles $number to $number$" said
check "the faster one is told" awk '/^speed-up/ { exit !($2 > 1) }' said
check "progress, one line a run" says '^run 6 of 6 \((disable|enable)\): [0-9.]+ m?s$' progress
check "no other lines" test "$(wc -l < progress)" -eq 6
check "output goes to the log" test "$(grep -c 'hello from the program' log)" -eq 6

check "automatic, sent through autotune:" compares --runs 4 --mode automatic --force --seed 7 ./program
check "pairs, half of them each way round" sh -c "paste -d ' ' - - < runs | sort | uniq -c | awk '\$1 != 2 { exit 1 } END { exit NR != 2 }'"
check "with the mode and the prefix" says '^automatic autotune: $' runs
check "both ways" says '^disable autotune: $' runs
check "output goes to stderr" says '^hello from the program$' progress
check "and not to stdout" sh -c '! grep hello said'

check "time in collective calls" compares --runs 2 --metric record --log log ./recorder
check "exactly" says '^speed-up: 3\.000 \(ratio of medians, time in collective calls\)$' said
check "of all files" says '^1 +6 s +2 s +3\.000$' said
check "no folder is left" sh -c '! ls -d autotune-compare.*'
check "one pair" compares --runs 1 --log log --metric record ./recorder
check "has no spread" says '^  one pair tells nothing about the spread$' said

check "its verdict" test "$(tail -n 1 said)" = \
    "verdict: these runs show no difference between enable and disable; one pair is too few"
check "a spread" compares --runs 5 --log log --metric record ./recorder
check "the modes are named" grep -qxF \
    "compared: disable (the wrapped driver's own values) and enable (always the model's optimum)" said
check "the last line is the verdict" test "$(tail -n 1 said)" = "verdict: enable is faster than disable, x3.00"
sed 's/disable)/automatic)/' recorder > slower
chmod +x slower
check "what is slower" compares --runs 5 --mode automatic --log log --metric record ./slower
check "is called so" test "$(tail -n 1 said)" = "verdict: automatic is slower than disable, x0.33"
sed 's/us=3000000/us=1000000/' recorder > equal
chmod +x equal
check "what is equal" compares --runs 5 --log log --metric record ./equal
check "is called so" test "$(tail -n 1 said)" = \
    "verdict: these runs show no difference between enable and disable; the confidence interval contains 1"

check "no record" refuses 1 "left no record, so there is nothing to compare: no program in the command" \
    --metric record --log log sh -c 'echo x >> absent'
check "nor with the wall" refuses 1 "left no record, so there is nothing to compare" --log log sh -c 'echo x >> absent'
check "one run of each" test "$(wc -l < absent)" -eq 2
check "no collective call" refuses 1 "made no collective call on a file opened through autotune: (--force" \
    --metric record --log log ./program
check "still no folder is left" sh -c '! ls -d autotune-compare.*'
check "a bad record" refuses 1 "record:1: " --metric record --log log \
    sh -c 'echo junk >> "$ROMIO_AUTOTUNE_RECORD"'
check "a program that fails" refuses 1 "failed with exit code 7" --log log sh -c 'exit 7'
check "a program that crashes" refuses 1 "died of signal 11" --log log sh -c 'kill -SEGV $$'
check "a program that is not there" refuses 1 "./none cannot be run: No such file" --log log ./none
check "a log that cannot be written" refuses 1 "/no/such/log: cannot be opened" --log /no/such/log true
check "no program" refuses 2 "a command is needed" --runs 3
check "no program either" refuses 2 "a command is needed" --
check "a metric that is none" refuses 2 "must be wall or record" --metric io true
check "a mode that is none" refuses 2 "must be enable or automatic" --mode disable true
check "too many runs" refuses 2 "at most 1000" --runs 1001 true

# --- another MPICH

. "$top_srcdir/test/tools/foreign.lib.sh"
check "a program of another MPICH" compares --runs 1 --library "$driver" --log log ./foreign
check "which it says" says "foreign uses MPICH 4.1: the driver is preloaded, for all files" progress
check "has the driver in each run" sh -c "[ -s foreign-log ] && ! grep -qvxF '$driver' foreign-log"
check "without the library" refuses 1 "(--library)" --library ./none ./foreign

# An interrupt ends the program as well, with all that it started.
cat > long << 'END'
#!/bin/sh
sleep 60 &
echo $! > grandchild
echo $$ > child
wait
END
chmod +x long
# gone PID: ended, whether or not somebody has asked how
gone()
{
    for _i in 1 2 3 4 5; do
        case $(ps -o stat= -p "$1") in '' | Z*) return 0 ;; esac
        sleep 0.2
    done
    return 1
}
interrupted()
{
    rm -f child grandchild
    # not sh -c '... &': background jobs of a shell ignore the interrupt
    env --default-signal=INT "$autotune" compare --metric record --log log ./long &
    _pid=$!
    for _i in 1 2 3 4 5 6 7 8 9 10; do [ -s child ] && break; sleep 0.2; done
    kill -"$1" $_pid
    wait $_pid
    _rc=$?
    echo "exit code $_rc, child $(cat child), grandchild $(cat grandchild)"
    [ $_rc -eq "$2" ] && gone "$(cat child)" && gone "$(cat grandchild)"
}
check "an interrupt ends the program" interrupted INT 130
check "so does the end of a terminal" interrupted HUP 129
check "no folder is left then" sh -c '! ls -d autotune-compare.*'

# The driver itself, over this MPICH.
check "a real program" compares --runs 2 --metric record --log log -- \
    timeout -k 5 "$watchdog" "$MPIEXEC" -n 2 "$top_builddir/tools/write/autotune-write" -b 64K -r 2 "$scratch"
sed 's/^/# /' said
check "has a speed-up" says "^speed-up: $number" said
done_testing
