#!/bin/sh
# What libautotune-watch.so sees of random programs, against what strace sees of the same run: the
# calls on descriptors in the order of each thread, where, how much, and their errors.  (What stdio
# does with the system is stdio's; watch.sh compares its calls with the program's own log.)
. "${top_srcdir:?}/test/lib.sh"

library=$top_builddir/watch/.libs/libautotune-watch.so
programs=$top_builddir/test/watch
traced='?open,openat,?creat,close,read,write,readv,writev,pread64,pwrite64,preadv,pwritev,lseek,fsync,fdatasync,ftruncate,fcntl,mmap'

if ! command -v strace > "$scratch/which" || ! strace -ff -y -o "$scratch/try" true 2> /dev/null; then
    skip "random calls, as strace sees them" "strace is not installed, or may not trace"
    done_testing
    exit
fi

# both SEED THREADS: a run, of which spool and traces are in $at
both()
{
    at=$scratch/$1-$2
    mkdir -p "$at/spools"
    timeout "$watchdog" strace -ff -ttt -y -s 0 -e trace="$traced" -o "$at/trace" -E LD_PRELOAD="$library" \
        -E ROMIO_AUTOTUNE_WATCH="record,survey,readahead,histogram,spool:dir=$at/spools" \
        "$programs/calls" "$at" "$1" "$2" 500 < /dev/null || return 1
    "$programs/dump" "$at"/spools/*.spool > "$at/dump"
}

# Files of even numbers have descriptors.
mine() { grep -E "^[a-z]+ $at/$1-[02] "; }

# as_traced SEED THREADS
as_traced()
{
    both "$1" "$2" || return 1
    for _trace in "$at"/trace.*; do
        awk -f "$top_srcdir/test/watch/strace.awk" "$_trace"
    done > "$at/calls"
    _thread=0
    while [ $_thread -lt "$2" ]; do
        mine $_thread < "$at/calls" > "$at/seen-by-strace"
        [ "$(wc -l < "$at/seen-by-strace")" -gt 100 ] || return 1
        sed -n 's/^[0-9]* posix //p' "$at/dump" | sed -E 's/^(openat|creat) /open /; s/ -$//' | mine $_thread |
            diff "$at/seen-by-strace" - || return 1
        _thread=$((_thread + 1))
    done
    rm -rf "$at"
}

if [ -n "$AUTOTUNE_FULL" ]; then seeds=$(seq 200) threads=8; else seeds=$(seq 3) threads=4; fi
seeds "$(echo "$seeds" | wc -w)"
for seed in $seeds; do
    check "500 random calls, seed $seed" as_traced "$seed" 1
    check "500 random calls in each of $threads threads, seed $seed" as_traced "$seed" $threads
done
done_testing
