#!/bin/sh
# What the driver says where people and scripts look: explanations, and variables of
# the environment that make no sense.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

watchdog=60
bin=$top_builddir/test/driver
ranks=4
ROMIO_AUTOTUNE=enable ROMIO_AUTOTUNE_PROFILE=$(forced_profile change)
export ROMIO_AUTOTUNE ROMIO_AUTOTUNE_PROFILE

# run [VARIABLE=VALUE...]: a program that opens, writes twice and reads
run()
{
    rm -rf "$scratch/d" && mkdir "$scratch/d"
    mpi $ranks env "$@" "$bin/record" "$scratch/d" ufs file "${record-$scratch/record}" \
        > "$scratch/out" 2> "$scratch/err"
}

lines()
{
    [ "$(wc -l < "$1")" -eq "$2" ] || { cat "$1"; return 1; }
}
# one line, this one
says()
{
    cat "$scratch/err"
    lines "$scratch/err" 1 && grep -qF "romio-autotune: $1" "$scratch/err"
}

# --- on stderr: two lines for each decision

check "with explanations on stderr" run ROMIO_AUTOTUNE_EXPLAIN=stderr
decisions=$(grep -c '^romio-autotune: ' "$scratch/err")
check "each decision is told" test "$decisions" -ge 2
check "in two lines" lines "$scratch/err" $((2 * decisions))
check "with the file" grep -q "^romio-autotune: $scratch/d/file, at open: write of " "$scratch/err"
check "and the reason" grep -Eq '^  .+ predicted$' "$scratch/err"

check "as documents on stderr" run ROMIO_AUTOTUNE_EXPLAIN=stderr:json
check "one line for each" lines "$scratch/err" "$decisions"

# --- in a file: appended, one line each

check "in a file" run ROMIO_AUTOTUNE_EXPLAIN="$scratch/decisions-%h"
file=$(echo "$scratch"/decisions-*)
check "whose name is expanded" test "$file" = "$scratch/decisions-$(hostname)"
check "every decision has a line, and so has the profile" lines "$file" $((1 + decisions))
check "each is a document" python3 -c "
import json, sys
documents = [json.loads(line) for line in open(sys.argv[1])]
assert documents[0]['format'] == 'romio-autotune-profile' and documents[0]['operations']
for document in documents[1:]:
    assert document['format'] == 'romio-autotune-decision' and document['candidates']" "$file"
check "from which the same is decided" sh -c '"$1" replay "$2" | grep -qx "$3 decisions, $3 as before"' sh \
    "$top_builddir/tools/autotune/autotune" "$file" "$decisions"
run ROMIO_AUTOTUNE_EXPLAIN="$file"
check "the next run appends" lines "$file" $((2 * (1 + decisions)))
check "nothing is on stderr" lines "$scratch/err" 0

# --- what is not a file stays what it is

mknod "$scratch/null" c 1 3 2> /dev/null && made_device=yes || made_device=
if [ -n "$made_device" ]; then
    check "into a device" run ROMIO_AUTOTUNE_EXPLAIN="$scratch/null"
    check "which stays one" test -c "$scratch/null"
else
    skip "into a device" "needs root"
fi
ln -s "$scratch/target" "$scratch/link"
check "through a link" run ROMIO_AUTOTUNE_EXPLAIN="$scratch/link"
check "which stays one" test -L "$scratch/link" -a -s "$scratch/target"
mkfifo "$scratch/pipe"
check "a pipe that nobody reads does not hold up a program" run ROMIO_AUTOTUNE_EXPLAIN="$scratch/pipe"
check "the status says so" grep -q '^status .*romio_autotune_explain=.*pipe' "$scratch/out"
record=$scratch/pipe
check "nor does one for records" run
unset record
record=/dev/full
check "nor a full disk" run
check "which is said, once" says "a record is lost: /dev/full: cannot be written: No space left on device"
unset record

# --- a profile of another machine

# measured FACTS: the path of the profile, as if it was measured on this
measured()
{
    sed "s/\"machine\": {/&$1,/" "$ROMIO_AUTOTUNE_PROFILE" > "$scratch/measured.json"
    echo "$scratch/measured.json"
}
run ROMIO_AUTOTUNE_PROFILE="$(measured '"file_system_type": "ufs", "nodes": 1')"
check "a profile that fits needs no words" grep -qx 'status tuned' "$scratch/out"
run ROMIO_AUTOTUNE_PROFILE="$(measured '"file_system_type": "gpfs", "nodes": 64')"
check "one that does not is in the status" \
    grep -q '^status tuned; the profile was measured on gpfs, not [a-z0-9]*$' "$scratch/out"
run ROMIO_AUTOTUNE_PROFILE="$(measured '"nodes": 64')"
check "so is one of which that is not known" \
    grep -qx 'status tuned; it is not known which file system the profile was measured on' "$scratch/out"
run ROMIO_AUTOTUNE_PROFILE="$(measured '"file_system_type": "ufs", "file_system_source": "another"')"
check "and one of another file system of this type" \
    grep -q '^status tuned; the profile was measured on another, not .' "$scratch/out"
run ROMIO_AUTOTUNE_PROFILE="$(measured '"file_system_type": "ufs", "mpi": "Elan MPI v1.2, for QsNet"')"
check "and one with another MPI library" \
    grep -q '^status tuned; the profile was measured with Elan MPI v1.2, not [^,]*$' "$scratch/out"
run ROMIO_AUTOTUNE_PROFILE=built-in
check "the built-in one is of no machine" sh -c '! grep -q "^status.*the profile" "$1"' sh "$scratch/out"

installed=$scratch/installed/romio-autotune
mkdir -p "$installed/profiles.d"
cp "$(measured '"file_system_type": "gpfs"')" "$installed/profile.json"
cp "$(measured '"file_system_type": "lustre"')" "$installed/profiles.d/a.json"
cp "$(measured '"file_system_type": "ufs"')" "$installed/profiles.d/b.json"
# found SOURCE TEXT: the profile there is used, and explanations have the text about it
found()
{
    rm -f "$scratch/decisions"
    run XDG_CONFIG_HOME="$scratch/installed" ROMIO_AUTOTUNE_PROFILE= ROMIO_AUTOTUNE_EXPLAIN="$scratch/decisions" &&
        python3 - "$scratch/decisions" "$installed/$1" "$2" << 'END'
import json, sys
for line in open(sys.argv[1]):
    profile = json.loads(line).get("profile") # itself has none
    assert profile is None or profile["source"] == sys.argv[2] and profile["fit"] == sys.argv[3], profile
END
}
check "of several that are installed, the one that fits" found profiles.d/b.json fits
check "which needs no words" grep -qx 'status tuned' "$scratch/out"
rm "$installed/profiles.d/b.json"
if [ -f "${LIBDIR%/*}/etc/romio-autotune/profile.json" ]; then
    skip "or the first, if none does" "a profile of this machine is installed, and may fit"
else
    check "or the first, if none does" found profile.json "does not fit"
    check "which is in the status" grep -q '^status tuned; the profile was measured on gpfs, not ' "$scratch/out"
fi

# --- the environment

run ROMIO_AUTOTUNE=perhaps
check "a mode that is none is said, once" says 'ROMIO_AUTOTUNE=perhaps is ignored: not enable'
run ROMIO_AUTOTUNE_MEMORY=lots
check "a size that is none is said" says 'ROMIO_AUTOTUNE_MEMORY=lots is ignored: not a number of bytes'
run ROMIO_AUTOTUNE_MEMORY=64M ROMIO_AUTOTUNE_ACCESS_SIZE=1k
check "units are understood" lines "$scratch/err" 0
for key in profile topology state advice explain record; do
    variable=ROMIO_AUTOTUNE_$(echo $key | tr '[:lower:]' '[:upper:]')
    record=''
    run $variable=/none/at/all
    check "$variable that is not there is said, once" says "$variable=/none/at/all is ignored: /none/at/all: cannot be opened: No such file"
    check "the status says it, too" grep -q '^status .*/none/at/all: cannot be opened' "$scratch/out"
done
unset record
run ROMIO_AUTOTUNE_MEMROY=64M
check "a mistyped variable is said with the nearest" says 'ROMIO_AUTOTUNE_MEMROY=64M is ignored: there is no such variable; the nearest is ROMIO_AUTOTUNE_MEMORY'
run ROMIO_AUTOTUNE_HISTORY=/x ROMIO_AUTOTUNE_WATCH= ROMIO_AUTOTUNE_OF_ANOTHER_PROGRAM=1
check "those of other programs are not" lines "$scratch/err" 0
echo romio_autotune_profiel /x > "$scratch/hints"
run ROMIO_HINTS="$scratch/hints"
check "a mistyped hint is said with the nearest" says 'romio_autotune_profiel=/x is ignored: there is no such hint; the nearest is romio_autotune_profile'
check "and is in the status" grep -q '^status .*romio_autotune_profiel=/x ignored: there is no such hint' "$scratch/out"
echo romio_autotune_nonsense 1 > "$scratch/hints"
run ROMIO_HINTS="$scratch/hints"
check "so is one that is near to none" says 'romio_autotune_nonsense=1 is ignored: there is no such hint'
for off in off 0 no false; do
    run ROMIO_AUTOTUNE=$off
    check "$off switches it off" grep -q '^status disabled' "$scratch/out"
done
done_testing
