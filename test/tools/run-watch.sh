#!/bin/sh
# autotune run --watch: what it sets, what it refuses, and what is seen beside and without the driver.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
watching=$top_builddir/watch/.libs/libautotune-watch.so
driver=$top_builddir/preload/libromio-autotune.so
dump=$top_builddir/test/watch/dump
cd "$scratch" || exit 99
unset ROMIO_AUTOTUNE_WATCH LD_PRELOAD
export TMPDIR="$scratch/tmp"
mkdir tmp

# watch OPTION... -- COMMAND...: without the driver
watch() { "$autotune" run --no-driver --watch-library "$watching" "$@"; }

# --- help, and what is wrong

check "help" sh -c '"$1" run --help | diff "$2" -' sh "$autotune" "$top_srcdir/test/tools/run-help.expected"
check "--spools alone" ends 2 "--spools is for --watch" "$autotune" run --spools s -- true
check "--no-driver alone" ends 2 "--no-driver is for --watch" "$autotune" run --no-driver -- true
check "options of the driver without it" ends 2 "are for the driver" watch --watch --mode enable -- true
check "no command" ends 2 "a command is needed" watch --watch
check "no library" ends 1 "./none: No such file" "$autotune" run --no-driver --watch --watch-library ./none -- true
check "no such module" ends 1 "recrod: must be spool, collect, off or one of the modules record" watch --watch=recrod -- echo reached
check "no such module: nothing is started" sh -c '! grep -q reached said'
check "an option of no module" ends 1 "out of range" watch --watch=readahead:after=0 -- true
echo "no library" > text
check "no shared library" ends 1 "cannot be preloaded" watch --watch --watch-library "$scratch/text" -- true
check "a folder that cannot be made" ends 1 "none/there: No such file" watch --watch --spools none/there -- true
check "a file for a folder" ends 1 "text: Not a directory" watch --watch --spools text -- true
check "a folder that settings cannot name" ends 1 "has a comma, colon, blank or #" watch --watch --spools "a b" -- true
check "no such command" ends 127 "none-at-all: No such file" watch --watch -- none-at-all
check "no driver's library" ends 1 "./none: No such file" \
    "$autotune" run --watch --watch-library "$watching" --library ./none -- true
check "trying leaves nothing behind" test -z "$(ls tmp)"

# --- what is set

# value NAME OPTION...: of a variable of the program
value()
{
    _name=$1
    shift
    watch --quiet "$@" -- sh -c "echo \"\$$_name\""
}
check "the usual modules" test "$(value ROMIO_AUTOTUNE_WATCH --watch)" = record,survey
check "those that are named" test "$(value ROMIO_AUTOTUNE_WATCH --watch=histogram)" = histogram
check "those of the environment" test "$(ROMIO_AUTOTUNE_WATCH=readahead value ROMIO_AUTOTUNE_WATCH --watch)" = readahead
check "the folder, from the root" test "$(value ROMIO_AUTOTUNE_WATCH --watch=record --spools s)" = "record,spool:dir=$scratch/s"
check "it is made, for its owner" test "$(stat -c %a s)" = 700
check "preloads" test "$(value LD_PRELOAD --watch)" = "$watching"
check "nothing of the driver" test -z "$(value ROMIO_AUTOTUNE_PRELOAD --watch)"
check "passed on by Open MPI" test "$(value OMPI_MCA_mca_base_env_list --watch)" = "LD_PRELOAD;ROMIO_AUTOTUNE_LAUNCH;ROMIO_AUTOTUNE_WATCH"
launch() { value ROMIO_AUTOTUNE_LAUNCH --watch; }
check "a name for the launch" sh -c 'echo "$1" | grep -qxE "run-[0-9a-f]{16}"' sh "$(launch)"
check "another one for the next" test "$(launch)" != "$(launch)"
check "one that is there is kept" test "$(ROMIO_AUTOTUNE_LAUNCH=mine launch)" = mine
check "its exit code, and what is in effect" ends 7 "preloads $watching; watches with record,survey; spools in $TMPDIR" \
    watch --watch -- sh -c 'exit 7'
echo "record" > settings
check "a file of settings" ends 0 "watches with $scratch/settings" watch --watch="$scratch/settings" -- true
check "which names the folder itself" ends 2 "the file of settings says where" \
    watch --watch="$scratch/settings" --spools s -- true

# --- what is seen

rm -rf s
check "a program" watch --quiet --watch --spools s -- "$top_builddir/test/watch/cases" one "$scratch/f"
is_seen() { "$dump" s/*.spool | grep -q " posix pwrite $scratch/f 9 1 0 -\$"; }
check "its calls" is_seen
# three processes that no batch system knows
one_job()
{
    rm -rf s
    env -u SLURM_JOB_ID -u PBS_JOBID "$autotune" run --no-driver --watch-library "$watching" --quiet --watch=survey --spools s -- sh -c '
        for rank in 0 1 2; do PMI_RANK=$rank PMI_SIZE=3 "$1" strided "$2" || exit 1; done' sh "$top_builddir/test/watch/cases" "$scratch/f" &&
        "$autotune" history import --db one.db s && "$autotune" history jobs --db one.db > jobs && cat jobs || return 1
    _job=$(grep -o 'run-[0-9a-f]*' jobs | sort -u)
    [ "$(echo "$_job" | wc -w)" -eq 1 ] && ! grep -q "$(uname -n):" jobs &&
        "$autotune" history show --db one.db job "$_job" > of-job && cat of-job && grep -q "3 of .* processes  *average" of-job
}
check "its processes are one job" one_job

# together HOST: a program of an MPI library that nobody rebuilt, with both libraries
together()
{
    rm -rf s
    "$autotune" run --mode enable --watch --spools s --library "$driver" --watch-library "$watching" -- \
        timeout "$watchdog" "mpiexec.$1" -n 2 "./$1" "$scratch/file" > said 2>&1
}
# some call of the driver's was made in one of the program's
caused()
{
    for _spool in s/*.spool; do
        "$dump" "$_spool"
    done > dumped
    grep -q " mpi MPI_File_open $scratch/file " dumped &&
        grep -qE " posix (pwrite|write|pwritev) $scratch/file .* MPI_File_[a-z_]+\$" dumped
}
with_openmpi
for host in mpich openmpi; do
    [ $host = mpich ] && needed=$driver || needed=${driver%.so}-openmpi.so
    if ! command -v mpicc.$host > mpicc || ! command -v mpiexec.$host > mpiexec || [ ! -e "$needed" ]; then
        skip "$host: both libraries" "it is not installed, or there is no preload library for it"
        continue
    fi
    check "$host: compiled" mpicc.$host -O1 -o $host "$top_srcdir/test/watch/mpi.c" -lpthread
    check "$host: both libraries" together $host
    check "$host: the driver is in effect" grep -q "romio-autotune: MPI-IO is that of ROMIO with autotune" said
    check "$host: calls are seen, and their causes" caused
done
done_testing
