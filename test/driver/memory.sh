#!/bin/sh
# The driver's tests under valgrind: no error and no lost block with a frame of
# ours, nor any access beyond ROMIO's buffers.
. "${top_srcdir:?}/test/lib.sh"

bin=$top_builddir/test/driver
watchdog=600
command -v valgrind > /dev/null || { skip "valgrind" "not installed"; done_testing; exit; }

# valgrind's log files; every rank has its own
under_valgrind()
{
    mpi 2 valgrind -q --leak-check=full --show-leak-kinds=definite,indirect \
        --log-file="$scratch/valgrind.%p" "$@" > "$scratch/out" 2>&1
}

# accesses outside blocks anywhere, leaks with our functions on the stack
no_errors_of_ours()
{
    cat "$scratch"/valgrind.* > "$scratch/valgrind"
    rm "$scratch"/valgrind.*
    ! grep -E 'Invalid (read|write|free)|AUTOTUNE|atc_' "$scratch/valgrind"
}

for fs in ufs gpfs lustre; do
    for program in names hints modes; do
        mkdir "$scratch/d"
        if over $fs under_valgrind "$bin/$program" "$scratch/d" $fs; then
            ok "$program over $fs runs"
        else
            not_ok "$program over $fs runs" "$scratch/out"
        fi
        if no_errors_of_ours > "$scratch/found"; then
            ok "$program over $fs: valgrind finds nothing"
        else
            not_ok "$program over $fs: valgrind finds nothing" "$scratch/valgrind"
        fi
        rm -r "$scratch/d"
    done
done
done_testing
