#!/bin/sh
# The driver's tests under valgrind: no access beyond a buffer anywhere, no
# error and no lost block of ours.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/driver/profiles.sh"

bin=$top_builddir/test/driver
watchdog=600
command -v valgrind > /dev/null || { skip "valgrind" "not installed"; done_testing; exit; }

# valgrind's log files; every rank has its own
under_valgrind()
{
    mpi 2 valgrind -q --leak-check=full --show-leak-kinds=definite,indirect \
        --log-file="$scratch/valgrind.%p" "$@" > "$scratch/out" 2>&1
}

nothing_of_ours()
{
    awk -f "$top_srcdir/test/driver/ours.awk" "$scratch"/valgrind.* > "$scratch/found"
    rm "$scratch"/valgrind.*
    cat "$scratch/found"
    [ ! -s "$scratch/found" ]
}

# Two of them with decisions that are random and differ from call to call.
seed=5000
export STANDIN_LAYOUT=2:65536 STANDIN_BLKSIZE=4096
for fs in ufs gpfs lustre; do
    for program in names hints modes truth states; do
        mkdir "$scratch/d"
        case $program in
            truth | states) seed=$((seed + 1)) with="with_profile $(random_profile $seed)" ;;
            *) with='' ;;
        esac
        # shellcheck disable=SC2086 # words
        if $with over $fs under_valgrind "$bin/$program" "$scratch/d" $fs; then
            ok "$program over $fs runs"
        else
            not_ok "$program over $fs runs" "$scratch/out"
        fi
        check "$program over $fs: valgrind finds nothing of ours" nothing_of_ours
        rm -r "$scratch/d"
    done
done
done_testing
