#!/bin/sh
# Collective buffers of later files find the memory that earlier ones have freed.
. "${top_srcdir:?}/test/lib.sh"

steer=$top_builddir/test/driver/steer
export ROMIO_AUTOTUNE=enable STEER_FILES=4
mkdir "$scratch/d"

# warm FILE: what the decisions about each file say of memory, the largest number for each
warm()
{
    grep -F "$1" "$scratch/explain" | grep -o '"warm": *[0-9]*' | grep -o '[0-9]*$' | sort -n | tail -n 1
}

check "four files" mpi 4 "$steer" "$scratch/d/f" romio_autotune_explain "$scratch/explain"
first=$(warm "$scratch/d/f.1")
check "the first file needs new memory" test "${first:-0}" -lt 16777216
case $(getconf GNU_LIBC_VERSION 2> /dev/null) in
    glibc*) check "the last one does not: ROMIO's buffer has 16 MiB" test "$(warm "$scratch/d/f.4")" -ge 16777216 ;;
    *) skip "the last one does not" "no GNU C library" ;;
esac
done_testing
