#!/bin/sh
# autotune calibrate: from a directory to an installed profile by one command.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
export PATH="$top_builddir/tune/calibrate:$PATH" XDG_CONFIG_HOME="$scratch/config"
unset ROMIO_AUTOTUNE_PROFILE SLURM_JOB_ID SLURM_JOB_NUM_NODES
cd "$scratch" || exit 99

# calibrates RC TEXT ARGUMENT...: ends with RC and says TEXT
calibrates()
{
    _code=$1 _text=$2
    shift 2
    timeout -k 5 "$watchdog" "$autotune" calibrate "$@" > said 2>&1 < /dev/null
    _rc=$?
    cat said
    [ $_rc -eq "$_code" ] && grep -qF -e "$_text" said
}

check "help" sh -c "'$autotune' calibrate --help | cmp - '$top_srcdir/test/tools/calibrate-help.expected'"
check "no command" calibrates 2 "as -- mpiexec" --dir data
check "no directory" calibrates 2 "--dir is needed" -- "$MPIEXEC" -n 2
check "another name for the points" calibrates 2 "--to DIR names a folder" --dir data --out p.json -- "$MPIEXEC" -n 2
check "a wrong place" calibrates 2 "--install moon: must be ask, user, site or no" --dir data --install moon -- "$MPIEXEC" -n 2
check "a command that is not there" calibrates 1 "cannot be run" --dir data -- "$scratch/none" -n 2
check "a wrong option of the program" calibrates 1 "measuring: failed with exit code 2" --dir data --budget soon -- "$MPIEXEC" -n 2
check "nothing is made of that" [ ! -e autotune-calibration/points.json ]

small="--dir data --budget 5s --cache 0 --max-memory 16M"
# shellcheck disable=SC2086 # words
{
    check "a plan alone" calibrates 0 "all " $small --dry-run -- "$MPIEXEC" -n 3
    check "all of it, with the question left open" calibrates 0 "to install it: autotune install-profile --user autotune-calibration/profile.json" \
        $small -- "$MPIEXEC" -n 3
}
check "it says what it has learned" grep -q '^  exchange ' said
check "and what jobs gain" grep -q '^typical jobs' said
check "a profile that is valid" "$autotune" profile check autotune-calibration/profile.json
check "a report, and what training said" [ -s autotune-calibration/report.html ] && [ -s autotune-calibration/train.txt ]
check "no data stays" [ -z "$(ls data)" ]
# shellcheck disable=SC2086
check "again: it is not measured again, and installed" calibrates 0 "points.json is there; --force measures again" \
    $small --install user -- "$MPIEXEC" -n 3
installed=$scratch/config/romio-autotune
check "where the driver looks" cmp "$installed/profile.json" autotune-calibration/profile.json
# shellcheck disable=SC2086
check "once more: in the place of that one" calibrates 0 "installed as $installed/profile.json" $small --install user -- "$MPIEXEC" -n 3
sed 's/"file_system_type": "[^"]*"/"file_system_type": "gpfs"/' autotune-calibration/profile.json > "$installed/profile.json"
# shellcheck disable=SC2086
check "another file system's is left alone" calibrates 0 "installed as $installed/profiles.d/" $small --install user -- "$MPIEXEC" -n 3
check "it is" grep -q '"gpfs"' "$installed/profile.json"

# what a batch job has
allocation()
{
    mkdir -p launcher
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "$0 $*"\nexit 3\n' > launcher/mpiexec
    chmod +x launcher/mpiexec
    ( export PATH="$scratch/launcher:$PATH" SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=4 SLURM_CPUS_ON_NODE=16
        calibrates 1 "-n 64 -ppn 16 autotune-calibrate --dir data --budget 1h --out to/points.json --slurm" \
            --dir data --budget 1h --to to )
}
check "in an allocation" allocation
check "as one of many processes it is autotune-calibrate" sh -c \
    "'$MPIEXEC' -n 2 '$autotune' calibrate --dir data --out p.json --dry-run > plan && grep -q '^all ' plan"
done_testing
