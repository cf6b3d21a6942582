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

# compile VERSION INCLUDE-FOLDER
compile()
{
    for source in "$top_srcdir"/ad_autotune/*.c; do
        "${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -DHAVE_CONFIG_H -DATC_EMBEDDED \
            -include "$scratch/version.h" -I"$2" -I"$top_srcdir/adio" \
            -I"$built/adio/include" -I"$romio/adio/include" -I"$built/include" -I"$romio/include" \
            -I"$MPICH_BUILD/src/include" -I"$MPICH_SOURCE/src/include" \
            -I"$MPICH_BUILD/src/mpl/include" -I"$MPICH_SOURCE/src/mpl/include" \
            -I"$romio/mpi-io" "$source" || return 1
    done
}

# as_version NUMBER: mpi.h with this MPICH_NUMVERSION
as_version()
{
    printf '#include "mpi.h"\n#undef MPICH_NUMVERSION\n#define MPICH_NUMVERSION %s\n' "$1" \
        > "$scratch/version.h"
}

as_version 40002300
check "this MPICH's table" compile 4.0.2 "$romio/adio/include"
as_version 40100300
check "the table of 4.1" compile 4.1 "$scratch/include"
not_compile()
{
    ! compile "$@"
}
as_version 40002300
check "the two differ" not_compile mixed "$scratch/include"
done_testing
