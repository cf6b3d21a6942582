#!/bin/sh
# The driver's sources compile against the function table of MPICH 4.1 and
# later, whose counts are MPI_Aint.  That table is made from this MPICH's by
# the same change (its commit 7035648d65).
. "${top_srcdir:?}/test/lib.sh"

romio=$MPICH_SOURCE/src/mpi/romio
built=$MPICH_BUILD/src/mpi/romio
mkdir "$scratch/include"
cp "$romio"/adio/include/*.h "$scratch/include/"
sed 's/\<int count\>/MPI_Aint count/' "$romio/adio/include/adioi.h" > "$scratch/include/adioi.h"
check "the table was changed" grep -q 'ADIOI_xxx_WriteContig.*MPI_Aint count' "$scratch/include/adioi.h"

# compile INCLUDE-FOLDER
compile()
{
    for source in "$top_srcdir"/ad_autotune/*.c; do
        "${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -DHAVE_CONFIG_H -DATC_EMBEDDED \
            -D_GNU_SOURCE -DADIOI_AUTOTUNE_SYSCONFDIR='""' \
            -I"$top_srcdir/adio" -I"$top_srcdir/adio/compat" -I"$top_srcdir/models" -I"$romio/adio/ad_autotune/atm" -isystem "$scratch/version" -isystem "$1" \
            -isystem "$built/adio/include" -isystem "$romio/adio/include" \
            -isystem "$built/include" -isystem "$romio/include" \
            -isystem "$MPICH_BUILD/src/include" -isystem "$MPICH_SOURCE/src/include" \
            -isystem "$MPICH_BUILD/src/mpl/include" -isystem "$MPICH_SOURCE/src/mpl/include" \
            "$source" || return 1
    done
}

# as_version NUMBER: an mpi.h of that version
as_version()
{
    mkdir -p "$scratch/version"
    sed "s/^#define MPICH_NUMVERSION.*/#define MPICH_NUMVERSION $1/" \
        "$MPICH_BUILD/src/include/mpi.h" > "$scratch/version/mpi.h"
}

as_version 40002300
check "this MPICH's table" compile "$romio/adio/include"
as_version 40100300
check "the table of 4.1" compile "$scratch/include"
not_compile()
{
    ! compile "$@"
}
as_version 40002300
check "the two differ" not_compile "$scratch/include"
done_testing
