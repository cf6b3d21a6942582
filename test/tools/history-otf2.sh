#!/bin/sh
# autotune history export --format otf2, as otf2-print reads it.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
make_spool=$top_builddir/test/unit/history/make_spool
cd "$scratch" || exit 99
export ROMIO_AUTOTUNE_HISTORY="$scratch/history.db"

# exports FOLDER ARGUMENT...
exports()
{
    _folder=$1
    shift
    "$autotune" history export --format otf2 "$@" -o "$_folder"
}

# refuses TEXT COMMAND...: ends with 2 and complains TEXT in one line
refuses()
{
    _text=$1
    shift
    "$@" > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq 2 ] && [ "$(wc -l < complaint)" -eq 1 ] && grep -qF -e "$_text" complaint
}

check "no output" refuses "--format otf2 needs -o FOLDER" "$autotune" history export --format otf2 --job 123
check "a trace of nothing" refuses "needs --job or --process" exports trace

mkdir spools
"$make_spool" spools/autotune-node01-4711-1.spool 1 1000
"$make_spool" spools/autotune-node01-4712-2.spool 2 500
# more than OTF2 keeps in memory for a thread, and four threads
"$make_spool" spools/autotune-node01-4713-3.spool 3 30000
"$autotune" history import spools > /dev/null
exports trace --job 123 > said 2> complaint
if grep -q "built without OTF2" complaint; then
    check "one line says so" refuses "trace: cannot be written: this autotune was built without OTF2" exports trace --job 123
    check "no folder is made" test ! -e trace
    skip "archives" "this autotune was built without OTF2"
    done_testing
    exit
fi
check "an archive" grep -qx "trace: 3 processes" said
check "no such job" refuses "there is no such job or process" exports none --job none
check "no folder for it" test ! -e none
check "a folder that is not empty" refuses "trace: must be a folder that is not there yet, or empty" exports trace --job 123
check "a file" refuses "history.db: cannot be made: Not a directory" exports history.db --job 123
mkdir empty
check "an empty folder" exports empty --process 1

# unwritable FOLDER: as somebody who may not write there
unwritable()
{
    setpriv --reuid 65534 --regid 65534 --clear-groups env ROMIO_AUTOTUNE_HISTORY="$scratch/theirs/history.db" \
        "$autotune" history export --format otf2 --job 123 -o "$1"
}
# full SIZE: on a disk of that size; nothing stays there
full()
{
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount sh -c 'mount -t tmpfs -o "size=$1" none full && "$0" history export --format otf2 --job 123 -o full/trace
        _rc=$?
        [ -z "$(ls -A full)" ] && exit $_rc' "$autotune" "$1"
}
mkdir theirs ours ours/empty full
cp history.db theirs/
if chown -R 65534 theirs 2> /dev/null && chmod a+rx . ours ours/empty && unwritable theirs/trace > /dev/null 2>&1; then
    check "no permission to make a folder" refuses "ours/trace: cannot be made: Permission denied" unwritable ours/trace
    check "no permission to write into it" refuses "ours/empty: a trace cannot be written: " unwritable ours/empty
else
    skip "no permission" "needs root, and a folder that others can read"
fi
if unshare --mount mount -t tmpfs none full 2> /dev/null; then
    for size in 4k 1m 2m; do
        check "a disk of $size" refuses "full/trace: a trace cannot be written: No space left on device" full $size
    done
else
    skip "a full disk" "needs root"
fi

# --- what is in it

if ! command -v otf2-print > /dev/null; then
    skip "contents" "no otf2-print"
    done_testing
    exit
fi

# has TEXT FILE
has() { grep -qF -e "$1" "$2" || { head -n 40 "$2"; false; }; }

# is_whole EVENTS: as many of either kind as activities, each location's times in order and its
# calls within each other
is_whole()
{
    _activities=$(python3 -c 'import sqlite3; print(sqlite3.connect("history.db").execute("SELECT COUNT(*) FROM activity").fetchone()[0])')
    awk -v activities="$_activities" '
        $1 == "ENTER" || $1 == "LEAVE" {
            count[$1]++
            if (length($3) < length(time[$2]) || (length($3) == length(time[$2]) && $3 "" < time[$2] "")) { print "earlier: " $0; bad = 1 }
            time[$2] = $3
            region = $5
            if ($1 == "ENTER")
                open[$2, ++depth[$2]] = region
            else if (depth[$2] == 0 || open[$2, depth[$2]--] != region) { print "not open: " $0; bad = 1 }
        }
        $1 ~ /FLUSH/ { print; bad = 1 }
        END {
            for (location in depth)
                if (depth[location] != 0) { print "still open: " location; bad = 1 }
            print activities, count["ENTER"], count["LEAVE"]
            exit bad || activities == 0 || count["ENTER"] != activities || count["LEAVE"] != activities
        }' "$1"
}

otf2-print trace/traces.otf2 > events
otf2-print -G trace/traces.otf2 > definitions
check "every activity is there, in order" is_whole events
check "no complaints" sh -c '! otf2-print trace/traces.otf2 2>&1 > /dev/null | grep .'
check "the clock" has 'Ticks per Seconds: 1000000000, Global Offset: 1700000000000001000, Length: 19999900, Date: 2023-11-14' definitions
check "calls of MPI" sh -c 'grep -q "^REGION .*\"MPI_File_write_at\".*\"mpi\".*Role: FILE_IO, Paradigm: MPI" definitions'
check "calls of the system" sh -c 'grep -q "^REGION .*\"pwrite\".*\"posix\".*Role: FILE_IO, Paradigm: NONE" definitions'
check "hosts" has 'Name: "node01"' definitions
processes() { [ "$(grep -c '^LOCATION_GROUP .*"rank 3: vpic, node01, process 4711"' definitions)" -eq 3 ]; }
check "processes" processes
threads() { grep -q '^LOCATION .*"thread 3".*# Events: 20000' definitions && [ "$(grep -c '^LOCATION ' definitions)" -eq 6 ]; }
check "threads" threads
# the second pair of the first thread
known()
{
    grep -A 1 '^ENTER  *0  *1700000000000003100  *Region: "pwrite"' events > found
    cat found
    has '("file" <0>; STRING; "/scratch/field.2"' found && has '("offset" <1>; UINT64; 4096)' found &&
        has '("bytes" <2>; UINT64; 4096)' found && has '("activity" <4>; UINT64; 4), ("cause" <5>; UINT64; 3)' found &&
        ! grep -q '"error"' found
}
check "file, offset, bytes and cause of a call" known

# the anchor has a random number
same()
{
    exports again --job 123 && diff -r -x traces.otf2 trace again &&
        otf2-print again/traces.otf2 | cmp - events
}
check "the same again" same

# --- calls that end after the one that made them, or failed

python3 - << 'END_OF_PYTHON'
import sqlite3

history = sqlite3.connect("history.db")
history.execute("UPDATE activity SET duration = duration + 700 WHERE parent <> 0 AND number % 3 = 0")
history.execute("UPDATE activity SET error = -5 WHERE number = 4")
history.commit()
END_OF_PYTHON
check "an archive of them" exports late --job 123
otf2-print late/traces.otf2 > events
check "every activity is there, in order again" is_whole events
check "errors" has '("error" <3>; INT64; -5)' events
done_testing
