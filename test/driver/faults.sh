#!/bin/sh
# Faults around decisions: nothing hangs, and where the wrapped driver can do the
# work, it is done.  Every run has a watchdog.  AUTOTUNE_FULL=1: 200 seeded runs
# instead of 12.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

watchdog=60
program=$top_builddir/test/driver/fault
good=$(forced_profile change)
export ROMIO_AUTOTUNE=enable

# run N PREFIX [MOUNT-OPTIONS]: one run in a new directory, on a tmpfs of its own
# with these options if there are any; what it printed is in $scratch/out
run()
{
    rm -rf "$scratch/d"
    mkdir "$scratch/d"
    if [ -n "${3-}" ]; then
        unshare --mount sh -c 'mount -t tmpfs -o "$1" none "$2" && shift 2 && exec "$@"' sh "$3" \
            "$scratch/d" timeout -k 5 $watchdog "$MPIEXEC" -n "$1" "$program" "$scratch/d" "$2"
    else
        mpi "$1" "$program" "$scratch/d" "$2"
    fi > "$scratch/out" 2>&1 < /dev/null
}

# only_right: all that the program said is that its bytes are right; what we say of hints, variables
# and records is for the user
only_right()
{
    [ "$(grep -v '^romio-autotune: ' "$scratch/out")" = right ]
}

# unharmed N: the program does not notice anything
unharmed()
{
    over ufs run "$1" autotune: "${2-}"
    _rc=$?
    cat "$scratch/out"
    [ $_rc -eq 0 ] && only_right
}

# outcome: the classes of errors, but not how often, or whether the bytes are right
# where there are none
outcome()
{
    if grep -q error "$scratch/out"; then grep error "$scratch/out" | sort -u; else grep -v '^romio-autotune: ' "$scratch/out"; fi
}

# as_wrapped N [MOUNT-OPTIONS]: all is well, or what the wrapped driver makes of it
as_wrapped()
{
    as_wrapped_over ufs "$@"
}

# as_wrapped_over FS N [MOUNT-OPTIONS]
as_wrapped_over()
{
    over "$1" run "$2" autotune: "${3-}"
    _rc=$?
    cat "$scratch/out"
    if [ $_rc -eq 0 ] && only_right; then return 0; fi
    [ $_rc -ne 124 ] && [ $_rc -ne 137 ] || return 1
    outcome > "$scratch/tuned.out"
    over "$1" run "$2" "$1:" "${3-}"
    _wrapped=$?
    cat "$scratch/out"
    if [ $_wrapped -ne 0 ]; then [ $_rc -ne 0 ]; return; fi
    [ $_rc -eq 0 ] && outcome | cmp - "$scratch/tuned.out"
}

# ended N: mpiexec ends the job, and not because of us
ended()
{
    over ufs run "$1" "$2"
    _rc=$?
    tail -n 5 "$scratch/out"
    [ $_rc -ne 0 ] && [ $_rc -ne 124 ] && [ $_rc -ne 137 ] && ! grep -q '^right' "$scratch/out"
}

# --- profiles

# break_profile WHAT: $scratch/profile.json, wrong in this way
break_profile()
{
    rm -rf "$scratch/profile.json"
    case $1 in
        missing) ;;
        directory) mkdir "$scratch/profile.json" ;;
        unreadable) ln -s /proc/self/mem "$scratch/profile.json" ;; # also for root
        truncated) head -c "${2:-700}" "$good" > "$scratch/profile.json" ;;
        empty) : > "$scratch/profile.json" ;;
        huge) { cat "$good"; head -c 12000000 /dev/zero | tr '\0' ' '; } > "$scratch/profile.json" ;;
        newer) sed 's/"version": 1/"version": 99/' "$good" > "$scratch/profile.json" ;;
        binary) head -c 5000 /dev/urandom > "$scratch/profile.json" ;;
        pipe) mkfifo "$scratch/profile.json" ;;
    esac
}

profile_faults='missing directory unreadable truncated empty huge newer binary pipe'
ROMIO_AUTOTUNE_PROFILE=$scratch/profile.json
export ROMIO_AUTOTUNE_PROFILE
for ranks in 4 8; do
    for fault in $profile_faults; do
        break_profile $fault
        check "$ranks ranks, profile $fault" unharmed $ranks
    done
done

# Ranks but the first see another profile, or none.
different()
{
    rm -rf "$scratch/d" && mkdir "$scratch/d"
    timeout -k 5 $watchdog "$MPIEXEC" -n 2 -env ROMIO_AUTOTUNE_PROFILE "$good" "$program" "$scratch/d" autotune: : \
        -n $(($1 - 2)) -env ROMIO_AUTOTUNE_PROFILE "$2" -env ROMIO_AUTOTUNE "$3" "$program" "$scratch/d" autotune: \
        > "$scratch/out" 2>&1 < /dev/null
    _rc=$?
    cat "$scratch/out"
    [ $_rc -eq 0 ] && only_right
}
for ranks in 4 8; do
    check "$ranks ranks, another profile on some" different $ranks "$(forced_profile many)" enable
    check "$ranks ranks, none on some" different $ranks /no/such/profile enable
    check "$ranks ranks, switched off on some" different $ranks "$good" disable
done
ROMIO_AUTOTUNE_PROFILE=$good

# --- hints that differ between ranks

hint_faults="romio_autotune=enable,disable romio_autotune_profile=/none,$good
    romio_autotune_memory=100000,- romio_autotune_memory=1,1 romio_autotune_memory=3,5
    romio_autotune_record=$scratch/record,- romio_autotune_access_size=1,1000000000
    cb_buffer_size=10000,20000 cb_nodes=1,3 cb_config_list=*:*,*:1 romio_cb_write=enable,disable
    romio_cb_read=disable,- striping_unit=65536,131072"
for ranks in 4 8; do
    for hint in $hint_faults; do
        FAULT_HINT=$hint
        export FAULT_HINT
        check "$ranks ranks, $(echo "$hint" | sed "s|$scratch/||g")" as_wrapped $ranks
    done
done

# hints that bound file domains, of many aggregators
ROMIO_AUTOTUNE_PROFILE=$(forced_profile many)
for hint in striping_unit=65536,131072 romio_min_fdomain_size=100000,200000; do
    FAULT_HINT=$hint
    for fs in ufs nfs gpfs lustre; do check "$fs, $hint" as_wrapped_over $fs 8; done
done
ROMIO_AUTOTUNE_PROFILE=$good
unset FAULT_HINT

# --- disks

if unshare --mount mount -t tmpfs none "$scratch" 2> /dev/null; then
    for ranks in 4 8; do
        for size in 16k 100k 300k; do
            check "$ranks ranks, a disk of $size" as_wrapped $ranks size=$size
        done
        # the file takes all of the disk, so that nothing is left for the record
        ROMIO_AUTOTUNE_RECORD=$scratch/d/record
        export ROMIO_AUTOTUNE_RECORD
        check "$ranks ranks, no room for the record" unharmed $ranks "size=$((ranks * 60000 / 4096 * 4 + 8))k"
        unset ROMIO_AUTOTUNE_RECORD
    done
else
    skip "disks that are full" "needs root"
fi
ROMIO_AUTOTUNE_RECORD=/dev/full
export ROMIO_AUTOTUNE_RECORD
for ranks in 4 8; do check "$ranks ranks, a record that cannot be written" unharmed $ranks; done
unset ROMIO_AUTOTUNE_RECORD

# --- ranks that die

for ranks in 4 8; do
    for death in 0:open:1 1:open:1 0:pwrite:1 $((ranks - 1)):pwrite:1; do
        FAULT_KILL=$death
        export FAULT_KILL
        check "$ranks ranks, one dies: $death" ended $ranks autotune:
    done
done
unset FAULT_KILL

# --- any of these, by a seed, on any file system

# pick WORD...: one of them as $picked
pick()
{
    random=$(((random * 16807 + 11) % 2147483647))
    shift $((random / 7 % $#))
    picked=$1
}

# seeded SEED: where a rank is killed, no hang; else the bytes are right, or what
# the wrapped driver makes of it
seeded()
{
    random=$(($1 * 1000003 % 2147483647))
    pick ufs nfs gpfs lustre && _fs=$picked
    pick 4 8 && _ranks=$picked
    ROMIO_AUTOTUNE_PROFILE=$(random_profile $random)
    pick profile hint both kill
    case $picked in
        profile | both)
            # shellcheck disable=SC2086 # words
            pick $profile_faults
            break_profile "$picked" $((random % 9000))
            ROMIO_AUTOTUNE_PROFILE=$scratch/profile.json
            ;;
    esac
    case $picked in
        kill) pick open pwrite && FAULT_KILL=$((random % _ranks)):$picked:$((1 + random / 9 % 3)) ;;
        *)
            # shellcheck disable=SC2086 # words
            pick $hint_faults
            FAULT_HINT=$picked
            ;;
    esac
    export FAULT_HINT FAULT_KILL
    echo "$_fs, $_ranks ranks, hint ${FAULT_HINT-}, kill ${FAULT_KILL-}, profile $ROMIO_AUTOTUNE_PROFILE"
    if [ -n "${FAULT_KILL-}" ]; then
        over "$_fs" run "$_ranks" autotune:
        _rc=$?
        cat "$scratch/out"
        # it may do without the call in which it would die
        [ $_rc -ne 124 ] && [ $_rc -ne 137 ] &&
            { [ $_rc -ne 0 ] || only_right; }
    else
        as_wrapped_over "$_fs" "$_ranks"
    fi
    set -- $?
    unset FAULT_HINT FAULT_KILL
    rm -f "$scratch"/random-*.json
    return "$1"
}

if [ -n "${AUTOTUNE_FULL-}" ]; then runs=200; else runs=12; fi
seed=1
seeds $runs
while [ $seed -le $runs ]; do
    check "seed $seed" seeded $seed
    seed=$((seed + 1))
done
done_testing
