#!/bin/sh
# What libautotune-watch.so sees, call by call; and that programs are the same with it.
. "${top_srcdir:?}/test/lib.sh"

library=$top_builddir/watch/.libs/libautotune-watch.so
programs=$top_builddir/test/watch
list=$top_srcdir/watch/calls.list
autotune=$top_builddir/tools/autotune/autotune

# watched FOLDER WHAT COMMAND...: with the library; spools are in FOLDER/spools
watched()
{
    _folder=$1 _modules=$2
    shift 2
    mkdir -p "$_folder/spools"
    timeout "$watchdog" env ROMIO_AUTOTUNE_WATCH="$_modules,spool:dir=$_folder/spools$spool" \
        LD_PRELOAD="$library" "$@" < /dev/null
}
spool=''

# --- the library itself

nm -D --defined-only "$library" | awk '{ print $NF }' | sort > "$scratch/exported"
{
    awk -v list=names -f "$top_srcdir/watch/wrappers.awk" "$list"
} | sort > "$scratch/listed"
check "the calls of the list are exported, and nothing else" diff "$scratch/listed" "$scratch/exported"
needs_only_libc()
{
    readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' > "$scratch/needed"
    cat "$scratch/needed"
    ! grep -vE '^(libc|libdl|libpthread|ld-linux[-a-z0-9_]*)\.so' "$scratch/needed"
}
check "it needs the C library alone" needs_only_libc
cat > "$scratch/closes.c" << 'END_OF_PROGRAM'
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    int status = 1;
    if (library == NULL || dlclose(library) != 0)
        return 2;
    if (fork() == 0) /* its handlers run */
        _exit(0);
    wait(&status);
    return status != 0 || dlopen(argv[argc - 1], RTLD_NOW | RTLD_NOLOAD) == NULL;
}
END_OF_PROGRAM
closed()
{
    cc -o "$scratch/closes" "$scratch/closes.c" -ldl || return 1
    mkdir "$scratch/closed"
    ROMIO_AUTOTUNE_WATCH="survey,spool:dir=$scratch/closed" "$scratch/closes" "$library"
}
check "it stays when it is closed" closed
every_file_call()
{
    grep -hoE '\bMPI_File_[a-z0-9_]+ ?\(' "${MPICC%/bin/mpicc}"/include/*.h | tr -d ' (' | sort -u |
        grep -vE '_(errhandler|c2f|f2c|toint|fromint)$|_fn$|_function$' | comm -23 - "$scratch/exported" > "$scratch/missing"
    cat "$scratch/missing"
    [ ! -s "$scratch/missing" ]
}
check "every call of MPI-IO is in the list" every_file_call
# every_access HEADER PATTERN: of NetCDF, where it is installed
every_access()
{
    _header=$(find /usr/include -name "$1" | head -n 1)
    [ -n "$_header" ] || return 0
    grep -hoE "\\b$2 ?\\(" "$_header" | tr -d ' (' | sort -u | comm -23 - "$scratch/exported" > "$scratch/missing"
    cat "$scratch/missing"
    [ ! -s "$scratch/missing" ]
}
check "every put and get of NetCDF" every_access netcdf.h 'nc_(put|get)_var[1asm]?(_[a-z]+)?'
check "every collective one of PnetCDF" every_access pnetcdf.h 'ncmpi_(put|get)_var[1asmn]?(_[a-z]+)?_all'

# --- random calls, against the program's own log

# as_logged SEED THREADS
as_logged()
{
    _at=$scratch/random-$1-$2
    watched "$_at" record,survey,readahead,histogram,reasoner,template "$programs/calls" "$_at" "$1" "$2" 500 || return 1
    "$programs/dump" "$_at"/spools/*.spool > "$_at/dump" || return 1
    _thread=0
    while [ $_thread -lt "$2" ]; do
        [ -s "$_at/$_thread.log" ] || return 1
        cut -d ' ' -f 2- "$_at/dump" | grep -F " $_at/$_thread-" | diff "$_at/$_thread.log" - || return 1
        _thread=$((_thread + 1))
    done
    rm -rf "$_at"
}
if [ -n "$AUTOTUNE_FULL" ]; then seeds=$(seq 200); else seeds=$(seq 10); fi
seeds "$(echo "$seeds" | wc -w)"
for seed in $seeds; do
    check "500 random calls, seed $seed" as_logged "$seed" 1
    check "500 random calls in each of 8 threads, seed $seed" as_logged "$seed" 8
done

# --- processes that are hard to follow

# told FILE COMMAND...: output and exit code, through a pipe
told()
{
    _said=$1
    shift
    { "$@" 2>&1; echo "code $?"; } | cat > "$_said"
}

# same CASE: the program says the same with the library
same()
{
    _at=$scratch/$1
    mkdir -p "$_at"
    told "$_at/bare" timeout "$watchdog" "$programs/cases" "$1" "$_at/f"
    told "$_at/seen" watched "$_at" record,survey,readahead,histogram,reasoner "$programs/cases" "$1" "$_at/f"
    grep 'code' "$_at/bare"
    diff "$_at/bare" "$_at/seen"
}

# seen CASE: all lines of its spools, without threads and the path
seen()
{
    for _spool in "$scratch/$1"/spools/*.spool; do
        "$programs/dump" "$_spool" || echo "ended with $?"
    done | sed "s,^[0-9]* posix ,,; s,$scratch/$1/,," | sort
}

# is_seen CASE, with the lines on stdin
is_seen()
{
    sort > "$scratch/wanted"
    seen "$1" | diff "$scratch/wanted" -
}

# is_counted CASE CALL NUMBER: calls of that name, in all processes
is_counted()
{
    [ "$(seen "$1" | grep -c "^$2 ")" -eq "$3" ] && ! seen "$1" | grep -E 'dropped|ended'
}

for case in fork exec exec-fails vfork early quick reuse signal; do check "$case: the same" same $case; done
check "a child has a spool of its own" is_seen fork <<'END_OF_LINES'
open f -1 0 0 -
pwrite f 1 1 0 -
pwrite f 2 1 0 -
pwrite f 3 1 0 -
END_OF_LINES
check "two spools" test "$(find "$scratch/fork/spools" -name '*.spool' | wc -l)" -eq 2
check "before and after exec" is_seen exec <<'END_OF_LINES'
open f -1 0 0 -
open f -1 0 0 -
pwrite f 1 1 0 -
pwrite f 9 1 0 -
END_OF_LINES
check "an exec that fails" is_seen exec-fails <<'END_OF_LINES'
open f -1 0 0 -
pwrite f 1 1 0 -
pwrite f 2 1 0 -
END_OF_LINES
check "what a vforked child closes stays its parent's" is_seen vfork <<'END_OF_LINES'
open f -1 0 0 -
pwrite f 1 1 0 -
pwrite f 2 1 0 -
END_OF_LINES
for case in early quick; do
    check "$case: the end" is_seen $case <<'END_OF_LINES'
open f -1 0 0 -
pwrite f 1 1 0 -
END_OF_LINES
done
check "a descriptor that becomes a socket, and a file again" is_seen reuse <<'END_OF_LINES'
close f -1 0 0 -
open f -1 0 0 -
open f -1 0 0 -
pwrite f 1 1 0 -
pwrite f 2 1 0 -
END_OF_LINES
check "a signal handler" is_seen signal <<'END_OF_LINES'
open f -1 0 0 -
pwrite f 1 1 0 -
pwrite f 2 1 0 -
pwrite f 3 1 0 -
END_OF_LINES

for case in fork-early last-thread close-all close-from close-raw; do check "$case: the same" same $case; done
check "a child that ends at once" is_counted fork-early pwrite 5002
check "the last thread" is_counted last-thread pwrite 5000
check "all descriptors closed" is_counted close-all pwrite 10000
check "closefrom and close_range" is_counted close-from pwrite 10001
check "closed behind its back" is_counted close-raw pwrite 10000

check "killed: the same" same killed
is_whole()
{
    "$programs/dump" "$scratch"/killed/spools/*.spool > /dev/null
    [ $? -eq 3 ]
}
check "killed: what is there is whole, and has no end" is_whole

# room for all of it in the ring
spool=:buffer=4M
# shellcheck disable=SC3045 # all shells that there are know it
if (ulimit -n 10100) 2> /dev/null; then
    ulimit -n 10100
    check "10,000 files: the same" same many
    check "10,000 files" is_counted many pwrite 10000
else
    skip "10,000 files" "no more descriptors"
fi

# --- no room, no folder

rm -rf "$scratch/close-all"
spool=:limit=20000
check "little room: the same" same close-all
# few may have been written before there were more than there is room for
is_complete()
{
    seen close-all | awk '/^dropped / { left_out += $2; next } { written++ }
        END { print written + 0, left_out + 0; exit !(left_out > 0 && written + left_out == 10003) }'
}
check "what is left out is counted" is_complete
spool=''
check "no room: the same" same no-room
check "no room: nothing is left behind" test -z "$(ls "$scratch/no-room/spools")"
no_folder()
{
    "$programs/cases" one "$scratch/f" > "$scratch/bare"
    env ROMIO_AUTOTUNE_WATCH=record,spool:dir=/does/not/exist LD_PRELOAD="$library" \
        "$programs/cases" one "$scratch/f" 2>&1 | diff "$scratch/bare" -
}
check "no folder: the same" no_folder

# --- modules

check "strided: the same" same strided
"$programs/dump" --surveys "$scratch"/strided/spools/*.spool > "$scratch/surveys"
check "survey: a stride" grep -q '"sequential": 1, "strided": 98, "short": 1, "long": 0, "stride": 20480' "$scratch/surveys"
check "readahead: it is advised" grep -qF '"reads": 100, "advised": 95, "hits": 94, "misses": 0' "$scratch/surveys"
check "histogram: the call" grep -q '"call": "pread", "from_bytes": 1024, "count": 100' "$scratch/surveys"
check "what a spool says of its process" grep -q "\"program\": \".*/cases\", \"arguments\": \[\".*/cases\", \"strided\", \"$scratch/strided/f\"\], \"host\": \"" <<END_OF_FACTS
$("$programs/dump" --facts "$scratch"/strided/spools/*.spool)
END_OF_FACTS
mode()
{
    [ "$(stat -c %a "$scratch"/strided/spools/*.spool)" = 600 ]
}
check "nobody else can read it" mode

ranks()
{
    for _rank in 0 1 2; do
        (
            export SLURM_JOB_ID=77 PMI_RANK=$_rank PMI_SIZE=3
            watched "$scratch/job" survey "$programs/cases" strided "$scratch/job/f"
        ) || return 1
    done
    "$autotune" history import --db "$scratch/job.db" "$scratch/job/spools" || return 1
    "$autotune" history show --db "$scratch/job.db" job 77 > "$scratch/job.said" || return 1
    cat "$scratch/job.said"
    grep -qx "$scratch/job/f, posix" "$scratch/job.said" && grep -q "3 of 3 processes  *average  *least  *most" "$scratch/job.said" &&
        grep -qx "  reading, strided  *98  *98  *98" "$scratch/job.said" &&
        grep -A 1 "^taken by the watching  *average  *least  *most" "$scratch/job.said" | grep -q "^  in calls  *[0-9.]* [mu]*s "
}
check "survey: average, least and most over ranks" ranks
check "the same as JSON" sh -c '"$1" history show --db "$2" --json job 77 | grep -F "\"reading, strided\":[98,98,98]"' sh "$autotune" "$scratch/job.db"

# --- configuration

check "a module that does not exist" ends 0 "romio-autotune: ROMIO_AUTOTUNE_WATCH: recrod: must be spool, collect, off or one of the modules record, survey" \
    env ROMIO_AUTOTUNE_WATCH=recrod LD_PRELOAD="$library" true
silent()
{
    "$@" > "$scratch/said" 2>&1 && [ ! -s "$scratch/said" ]
}
check "only one process of a job says so" silent env PMI_RANK=1 ROMIO_AUTOTUNE_WATCH=recrod LD_PRELOAD="$library" true
printf '# which\nrecord\ntemplate least=2 # bytes\nspool dir=%s\n' "$scratch/from-file" > "$scratch/config"
mkdir "$scratch/from-file"
check "from a file" env ROMIO_AUTOTUNE_WATCH="$scratch/config" LD_PRELOAD="$library" "$programs/cases" one "$scratch/f"
check "from a file: its folder" test "$(find "$scratch/from-file" -name 'autotune-*.spool' | wc -l)" -eq 1
off()
{
    rm -rf "$scratch/off"
    mkdir "$scratch/off"
    env "$@" TMPDIR="$scratch/off" LD_PRELOAD="$library" "$programs/cases" one "$scratch/f" && [ -z "$(ls "$scratch/off")" ]
}
check "off" off ROMIO_AUTOTUNE_WATCH=off
check "not asked for" off -u ROMIO_AUTOTUNE_WATCH
done_testing
