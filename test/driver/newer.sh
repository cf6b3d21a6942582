#!/bin/sh
# The driver's sources compile against the headers of later versions of MPICH, of which no
# sources are here: their shapes are made from this MPICH's, one from the other, by the
# changes that the versions made where the driver looks.
#   4.1    counts are MPI_Aint (its commit 7035648d65), one more hint, prefixes are told apart
#   4.2    as 4.1, but for a hint's name
#   4.2.2  counts of requests are MPI_Count
#   5.0    what MPI-IO's functions have in common is not declared any more
. "${top_srcdir:?}/test/lib.sh"

romio=$MPICH_SOURCE/src/mpi/romio
built=$MPICH_BUILD/src/mpi/romio
number=$(mpich_number)

# compiler INCLUDE-FOLDER ARGUMENT...
compiler()
{
    _folder=$1
    shift
    "${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -DHAVE_CONFIG_H -DATC_EMBEDDED \
        -D_GNU_SOURCE -DADIOI_AUTOTUNE_SYSCONFDIR='""' \
        -I"$top_srcdir/adio" -I"$top_srcdir/adio/compat" -I"$top_srcdir/models" -I"$romio/adio/ad_autotune/atm" -isystem "$scratch/version" -isystem "$_folder" \
        -isystem "$built/adio/include" -isystem "$romio/adio/include" \
        -isystem "$built/include" -isystem "$romio/include" \
        -isystem "$MPICH_BUILD/src/include" -isystem "$MPICH_SOURCE/src/include" \
        -isystem "$MPICH_BUILD/src/mpl/include" -isystem "$MPICH_SOURCE/src/mpl/include" \
        "$@"
}

# compile INCLUDE-FOLDER
compile()
{
    compiler "$1" -fsyntax-only "$top_srcdir"/ad_autotune/*.c
}

not()
{
    ! "$@"
}

# as_version NUMBER: an mpi.h of that version
as_version()
{
    mkdir -p "$scratch/version"
    sed "s/^#define MPICH_NUMVERSION.*/#define MPICH_NUMVERSION $1/" \
        "$MPICH_BUILD/src/include/mpi.h" > "$scratch/version/mpi.h"
}

# shape NAME FROM FILE SCRIPT [FILE SCRIPT]: the headers in FROM, changed by sed
shape()
{
    _shape=$scratch/$1
    cp -r "$2" "$_shape"
    shift 2
    while [ $# -gt 0 ]; do
        sed -i "$2" "$_shape/$1"
        shift 2
    done
}

# says TEXT INCLUDE-FOLDER SOURCE: the source has TEXT after preprocessing
says()
{
    compiler "$2" -E -P "$top_srcdir/ad_autotune/$3" | tr -s ' \n' ' ' | grep -qF -e "$1"
}

as_version "$number"
check "this MPICH's headers" compile "$romio/adio/include"
if [ "$number" -ge 40100000 ]; then
    done_testing
    exit
fi

shape 4.1 "$romio/adio/include" \
    adioi.h 's/\<int count\>/MPI_Aint count/
        s/^ *int striping_unit;/&\n    int visibility_immediate;/' \
    adio.h 's/\<int count\>/MPI_Aint count/; s/^void ADIO_ResolveFileType/int ADIO_ResolveFileType/'
shape 4.2.2 "$scratch/4.1" \
    adioi.h 's/\<MPI_Aint count;/MPI_Count count;/
        s/\<int \(\**\(contig_access_count\|count_my_req_\|count_others_req_\)\)/MPI_Count \1/'
shape 5.0 "$scratch/4.2.2" \
    adioi.h '/^int MPIOI_File_/{ :more; /;/!{ N; b more }; d; }'
check "4.1: the table" grep -q 'ADIOI_xxx_WriteContig.*MPI_Aint count' "$scratch/4.1/adioi.h"
check "4.1: the hint" grep -q visibility_immediate "$scratch/4.1/adioi.h"
check "4.1: prefixes" grep -q '^int ADIO_ResolveFileType' "$scratch/4.1/adio.h"
check "4.2.2: counts of requests" grep -q 'MPI_Count \*\*count_others_req_per_proc_ptr' "$scratch/4.2.2/adioi.h"
check "5.0: what is declared" not grep -q MPIOI_File_iwrite "$scratch/5.0/adioi.h"

check "the headers of 4.0 and 4.1 differ" not compile "$scratch/4.1"
# 5.0's headers have what the others changed; with AUTOTUNE_FULL=1 each of them
versions='4.1:40100300:4.1 5.0.1:50001300:5.0'
[ -z "$AUTOTUNE_FULL" ] || versions="$versions 4.2:40200300:4.1 4.2.2:40202300:4.2.2 4.3.2:40302300:4.2.2"
for version in $versions; do
    folder=$scratch/${version##*:}
    as_version "$(echo "$version" | cut -d: -f2)"
    check "${version%%:*} compiles" compile "$folder"
done
as_version 40100300
check "4.1: the first OST's hint" says '"romio_lustre_start_iodevice"' "$scratch/4.1" ad_autotune_settings.c
as_version 40200300
check "4.2: the first OST's hint" says 'get_number(users_info, "start_iodevice", -1)' "$scratch/4.1" ad_autotune_settings.c
done_testing
