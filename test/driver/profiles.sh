# Sourced by tests that make decisions: profiles, by name.

# random_profile SEED: make one, print its path
random_profile()
{
    awk -v seed="$1" -f "$top_srcdir/test/driver/random-profile.awk" > "$scratch/random-$1.json"
    echo "$scratch/random-$1.json"
}

# forced_profile WHAT: the same for one that forces a decision
forced_profile()
{
    awk -v force="$1" -f "$top_srcdir/test/driver/random-profile.awk" > "$scratch/$1.json"
    echo "$scratch/$1.json"
}

# with_profile FILE COMMAND...: run COMMAND, which may be a function, with
# decisions taken by FILE
with_profile()
{
    ROMIO_AUTOTUNE=enable ROMIO_AUTOTUNE_PROFILE=$1
    export ROMIO_AUTOTUNE ROMIO_AUTOTUNE_PROFILE
    shift
    "$@"
    set -- $?
    unset ROMIO_AUTOTUNE
    ROMIO_AUTOTUNE_PROFILE=built-in
    return "$1"
}
