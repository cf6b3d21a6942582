#!/bin/sh
# New files on Lustre when some of its targets are busy, as a state file tells.
. "${top_srcdir:?}/test/lib.sh"

steer=$top_builddir/test/driver/steer
osts=$top_builddir/test/grounds/lustre/osts
ranks=16 # to write to all targets at once
export STANDIN_OSTS=16 STANDIN_LAYOUT=4:1048576
mkdir "$scratch/d"
# storage is slow enough to decide, and twice as many targets at once are twice as fast
sed 's/"servers": 4/"servers": 16/; s/-20.7/-16/; s/1, -2/1, -1/' "$top_srcdir/test/driver/profiles/stripes.json" > "$scratch/profile.json"
export ROMIO_AUTOTUNE=enable ROMIO_AUTOTUNE_PROFILE="$scratch/profile.json" XDG_CONFIG_HOME="$scratch/config"

# state BUSY...: of these targets, said now
state()
{
    awk -v busy=" $* " -v now="$(date +%s)" -v path="${of:-$scratch/d}" -v old="${old:-0}" -v targets="${STANDIN_OSTS:-16}" 'BEGIN {
        printf "{\"format\": \"romio-autotune-state\", \"version\": 1, \"path\": \"%s\",\n", path
        printf "\"said\": %d, \"until\": %d, \"targets\": [\n", now - old, now - old + 300
        for (i = 0; i < targets; i++)
            printf("%s{\"target\": %d, \"idle\": %s, \"usual\": 0.8, \"idle_seconds\": 1, \"idle_deviation\": 0.1,\n" \
                " \"busy_seconds\": 3, \"busy_deviation\": 0.2}\n", i ? "," : "", i,
                index(busy, " " i " ") ? 0.02 : 0.98)
        print "]}" }'
}

# run FILE [KEY VALUE]...: what it says is in $scratch/said, its targets in $scratch/on
run()
{
    _name=$1
    shift
    rm -f "$scratch/d/$_name"
    over lustre mpi $ranks "$steer" "$scratch/d/$_name" "$@" > "$scratch/said" 2>&1
    _code=$?
    cat "$scratch/said"
    over lustre "$osts" --targets "$scratch/d/$_name" > "$scratch/on" && cat "$scratch/on" && [ $_code -eq 0 ]
}
# avoids TARGET...: none of them is in the file
avoids()
{
    [ -s "$scratch/on" ] || return 1
    for _target in "$@"; do
        ! tr ' ' '\n' < "$scratch/on" | grep -qx "$_target" || return 1
    done
}
count() { wc -w < "$scratch/on"; }

# --- what is known is used

state 0 4 8 12 > "$scratch/state.json"
check "a quarter is busy" run busy romio_autotune_state "$scratch/state.json"
check "is avoided" avoids 0 4 8 12
check "by a tuned file" grep -qx "# status tuned" "$scratch/said"
check "of several stripes" test "$(count)" -ge 4
check "again" run again romio_autotune_state "$scratch/state.json" romio_autotune_explain stderr
check "is said" grep -q "on OSTs that are not busy (busy: 0, 4, 8, 12)" "$scratch/said"
check "without it" run without romio_autotune_state built-in
check "no target is avoided" test "$(count)" -eq 16
mkdir -p "$scratch/config/romio-autotune"
cp "$scratch/state.json" "$scratch/config/romio-autotune/state.json"
check "the user's own" run own
check "is found" avoids 0 4 8 12
rm "$scratch/config/romio-autotune/state.json"
state > "$scratch/none.json"
check "none is busy" run none romio_autotune_state "$scratch/none.json"
check "none is avoided" test "$(count)" -eq 16
state 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 > "$scratch/all.json"
check "all are busy" run all romio_autotune_state "$scratch/all.json"
check "all are used" test "$(count)" -eq 16

# --- more stripes on the one that is not busy: 4 ranks write 3 and 1

two()
{
    (
        ranks=4
        export STANDIN_OSTS=2 ROMIO_AUTOTUNE_PROFILE="$scratch/two.json"
        state 1 > "$scratch/two-state.json"
        run "$@" romio_autotune_state "$scratch/two-state.json"
    )
}
# repeats TIMES TARGET
repeats() { [ "$(tr ' ' '\n' < "$scratch/on" | grep -cx "$2")" -eq "$1" ]; }
sed 's/"servers": 4/"servers": 2/' "$top_srcdir/test/driver/profiles/stripes.json" > "$scratch/two.json"
check "one of two is busy" two more romio_autotune_explain stderr
check "the other has three stripes" repeats 3 0
check "it has one" repeats 1 1
check "which is said" grep -q "with fewer stripes on OSTs that are busy (1)" "$scratch/said"
check "by a tuned file" grep -qx "# status tuned" "$scratch/said"
check "the user's number of stripes" two fixed striping_factor 2
check "has each once" repeats 1 0
export STANDIN_OVERSTRIPING=no STEER_FILES=2
two old > "$scratch/old" # its files are old.1 and old.2
check "a Lustre that refuses it" grep -q "# status tuned; 4 stripes of .* were requested, but the file has 2 of" "$scratch/said"
check "is not asked again" test "$(grep -c "were requested" "$scratch/said")" -eq 1
unset STANDIN_OVERSTRIPING STEER_FILES

# --- files that exist, on two targets each

# its name since MPICH 4.2, and before
first_target=start_iodevice
if [ "$(mpich_number)" -lt 40200000 ]; then
    first_target=romio_lustre_start_iodevice
fi

again()
{
    check "a file on OSTs $2 and $(($2 + 1))" run "$1" romio_autotune_state built-in striping_factor 2 $first_target "$2"
    over lustre mpi $ranks "$steer" "$scratch/d/$1" romio_autotune_state "$scratch/state.json" romio_autotune_explain stderr > "$scratch/said" 2>&1
    check "written again" test $? -eq 0
}
again slow 4
check "is said to be slow" grep -q "storage taking [12][.][0-9] times as long as usual (busy OSTs of the file: 4)" "$scratch/said"
again fast 5
check "is said to be fast" grep -q "storage taking 0[.][0-9] times as long as usual, " "$scratch/said"

# --- the user's striping

check "a number of stripes" run count romio_autotune_state "$scratch/state.json" striping_factor 16
check "as it was asked for" test "$(count)" -eq 16
check "a first target" run first romio_autotune_state "$scratch/state.json" $first_target 4
check "is used" grep -q "^4" "$scratch/on"

# --- what cannot be used

# noted WHY: the file is as without a state, and the status says why
noted()
{
    [ "$(count)" -eq 16 ] && grep -qF -e "$1" "$scratch/said"
}
old=400 state 0 4 8 12 > "$scratch/old.json"
check "an old one" run old romio_autotune_state "$scratch/old.json"
check "is not used" noted "held until 1"
old=-900 state 0 4 8 12 > "$scratch/new.json"
check "one from the future" run new romio_autotune_state "$scratch/new.json"
check "is not used" noted "a clock is wrong"
check "none there" run missing romio_autotune_state "$scratch/missing.json"
check "is said" noted "missing.json"
head -c 500 "$scratch/state.json" > "$scratch/half.json"
check "half a file" run half romio_autotune_state "$scratch/half.json"
check "is not used" noted "half.json"
sed 's/"idle": 0.98/"idle": 98/' "$scratch/state.json" > "$scratch/wrong.json"
check "a wrong number" run wrong romio_autotune_state "$scratch/wrong.json"
check "is named" noted "targets[1].idle"
of=/proc state 0 4 8 12 > "$scratch/other.json"
check "another file system's" run other romio_autotune_state "$scratch/other.json"
check "does not matter" test "$(count)" -eq 16
check "and needs no words" grep -qx "# status tuned" "$scratch/said"
sed 's/"target": 3,/"target": 33,/' "$scratch/state.json" > "$scratch/gone.json"
check "a target that is not there" run gone romio_autotune_state "$scratch/gone.json"
check "has no effect" test "$(count)" -ge 4
sed 's/"target": /"target": 1/' "$scratch/state.json" > "$scratch/gone.json"
check "only such" run gone romio_autotune_state "$scratch/gone.json"
check "are refused, which is said" grep -q "the OSTs that were picked were refused (.*), the file is on others" "$scratch/said"
awk '/"target": 3,/ { sub(/"target"/, "\"usable\": false, \"target\"") } 1' "$scratch/state.json" > "$scratch/full.json"
check "a full one" run full romio_autotune_state "$scratch/full.json" romio_autotune_explain stderr
check "is avoided, too" avoids 0 3 4 8 12
check "and named" grep -q "busy: 0, 4, 8, 12), without OSTs that are full or inactive (3)" "$scratch/said"

# --- what turns out to be wrong: a quarter of the targets are busy, and the profile knows nothing

export STANDIN_TIME=ost:20,latency:1000,lock:1000 STEER_FILES=6
over lustre mpi $ranks "$steer" "$scratch/d/first" > "$scratch/said" 2>&1
for target in 0 1 2 3; do
    "$top_builddir/test/grounds/standin/standin-ost" "$scratch" busy $target 4
done
# stripes FILE: how many stripes each file of a run has
stripes()
{
    over lustre mpi $ranks "$steer" "$scratch/d/$1" romio_autotune_state "$2" > "$scratch/said" 2>&1 || return 1
    cat "$scratch/said"
    for _file in 1 2 3 4 5 6; do over lustre "$osts" --targets "$scratch/d/$1.$_file" | wc -w; done | tr '\n' ' ' > "$scratch/on"
    cat "$scratch/on"
}
# begins STRIPES: the others depend on which targets Lustre itself picks
begins()
{
    cat "$scratch/on" "$scratch/said"
    grep -q "^$1" "$scratch/on"
}
state 0 1 2 3 > "$scratch/right.json"
check "a state whose first file is slow" stripes right "$scratch/right.json"
check "is left alone for a file, and tried again" begins "12 16 12 "
check "which is said" grep -q "not used for one file, which the others are compared with" "$scratch/said"
check "that file was slower, and the state is kept" begins "12 16 12 12 12 12"

# --- what is no reason to doubt it: a smaller file before it, in caches that the next ones fill

export STANDIN_TIME=ost:20,latency:1000,lock:1000,cache:2 STEER_OTHER=1 STEER_SYNC=1
check "files of another size" stripes sizes "$scratch/right.json"
check "are not compared" sh -c "! grep -q 'were slower' '$scratch/said'"
check "a state that helps is kept" grep -q " 12 12 12 $" "$scratch/on"
unset STEER_OTHER STEER_SYNC

done_testing
