#!/bin/sh
# What opening files opens beside them: nothing of ours where one process opens a file
# alone; and each file of ours once where the same ranks open many together.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

ours="$scratch/ours"
mkdir "$ours" "$ours/home" "$ours/home/.config" "$ours/home/.config/romio-autotune"
profile=$ours/many.json
cp "$(forced_profile many)" "$profile"
cp "$profile" "$ours/home/.config/romio-autotune/profile.json"
printf '{"format": "romio-autotune-topology", "version": 1, "psets": [{"nodes": [{"name": "%s"}]}]}\n' \
    "$(uname -n)" > "$ours/topology.json"
export HOME="$ours/home" ROMIO_AUTOTUNE=enable ROMIO_AUTOTUNE_TOPOLOGY="$ours/topology.json"
export SLURM_JOB_ID=1 # for Slurm's topology.conf
unset XDG_CONFIG_HOME

# traced RANKS FS DESCRIPTION: run the program; what it opens is in $scratch/opened, one
# line for each open but those by which a stand-in finds out where a path is
traced()
{
    mkdir "$scratch/d" "$scratch/t"
    over "$2" check_mpi "$3" "$1" strace -ff -qq -s 4096 -o "$scratch/t/t" -e trace=open,openat,access,faccessat,faccessat2 \
        "$top_builddir/test/driver/self" "$scratch/d" "$2"
    # shellcheck disable=SC2016
    awk 'FNR == 1 { begun = 0 } /opens-begin/ { begun = 1; traces++ }
        begun && /^open/ && !/O_PATH/ && match($0, /"[^"]*"/) { print substr($0, RSTART + 1, RLENGTH - 2) }
        END { exit traces != '"$1"' }' "$scratch/t"/t.* > "$scratch/opened" || not_ok "$3: $1 traces"
    rm -r "$scratch/d" "$scratch/t"
}

# opened PATTERN: how often a name with it was
opened()
{
    grep -c -- "$1" "$scratch/opened"
}

# is DESCRIPTION NUMBER WANTED
is()
{
    if [ "$2" -eq "$3" ]; then ok "$1"; else not_ok "$1: $2 opens instead of $3" "$scratch/opened"; fi
}

# alone RANKS FS FILES DESCRIPTION
alone()
{
    SELF_FILES=$3
    export SELF_FILES
    traced "$1" "$2" "$4"
    [ "$(opened /d/self.)" -ge $(($1 * $3)) ] || not_ok "$4: the trace has no files" "$scratch/opened"
    is "$4: no profile" "$(opened "^$ours/\(many\|home/.*/profile\).json")" 0
    is "$4: no topology file" "$(opened "^$ours/topology.json")" 0
    is "$4: no explanation" "$(opened "^$ours/explain.json")" 0
    is "$4: no adapter" "$(opened '^/sys/class')" 0
    is "$4: nothing of Slurm's" "$(opened '^/etc/slurm')" 0
}

# together RANKS FS DESCRIPTION: 20 files; rank 0 looks at ours.  Without a topology
# file it looks at Slurm's.
together()
{
    SELF_FILES=20 SELF_SHARED=1
    export SELF_FILES SELF_SHARED
    traced "$1" "$2" "$3"
    unset SELF_SHARED
    if [ -n "${ROMIO_AUTOTUNE_TOPOLOGY-}" ]; then
        is "$3: the topology once" "$(opened "^$ours/topology.json")" 1
    else
        is "$3: Slurm's topology once" "$(opened '^/etc/slurm/topology.conf')" 1
    fi
    is "$3: the profile once" "$(opened "^$profile")" 1
    is "$3: adapters once" "$(opened '^/sys/class$')" 1
}

if ! strace -qq -o /dev/null true 2> /dev/null; then
    skip "opened files" "no strace, or it may not trace"
    done_testing
    exit
fi
for fs in ufs nfs gpfs lustre; do
    ROMIO_AUTOTUNE_PROFILE=$profile
    export ROMIO_AUTOTUNE_PROFILE
    alone 8 $fs 125 "$fs, 8 processes alone, 125 files each"
    SELF_SHARED=1
    export SELF_SHARED
    alone 1 $fs 5 "$fs, a job of one process"
    unset SELF_SHARED
    together 4 $fs "$fs, 4 ranks together"
    unset ROMIO_AUTOTUNE_TOPOLOGY
    together 2 $fs "$fs, 2 ranks together, no topology file"
    unset ROMIO_AUTOTUNE_PROFILE
    alone 2 $fs 5 "$fs, alone, an installed profile, no topology file"
    export ROMIO_AUTOTUNE_TOPOLOGY="$ours/topology.json"
    ROMIO_AUTOTUNE_EXPLAIN=$ours/explain.json
    export ROMIO_AUTOTUNE_EXPLAIN
    alone 2 $fs 5 "$fs, alone, decisions explained"
    unset ROMIO_AUTOTUNE_EXPLAIN
done
done_testing
