#!/bin/sh
# Nothing of ours is visible in libmpi's dynamic table, and our objects need no
# library that MPICH without them would not need.
. "${top_srcdir:?}/test/lib.sh"

libmpi=$LIBDIR/libmpi.so
objects=$(find "$MPICH_BUILD/src/mpi/romio/adio/ad_autotune" -name '*.o' -path '*/.libs/*')
[ -n "$objects" ] || objects=$(find "$MPICH_BUILD/src/mpi/romio/adio/ad_autotune" -name '*.o')

nm -D --defined-only "$libmpi" > "$scratch/exported"
check "libmpi has a dynamic table" grep -q ' MPI_File_open$' "$scratch/exported"
none_of_ours()
{
    ! grep -iE ' (ADIOI?_|atc_|atm_|json_|hwloc_)|autotune' "$scratch/exported"
}
check "none of our symbols is exported" none_of_ours

# shellcheck disable=SC2086
nm --defined-only -g $objects | awk 'NF == 3 { print $3 }' | sort -u > "$scratch/defined"
check "our objects are there" grep -q '^ADIO_AUTOTUNE_operations$' "$scratch/defined"
only_our_names()
{
    ! grep -vE '^(ADIOI_AUTOTUNE_|ADIO_AUTOTUNE_operations$)' "$scratch/defined"
}
check "global symbols of our objects have names of their own" only_our_names

# Every symbol our objects lack is libmpi's or libc's.
# shellcheck disable=SC2086
nm -u $objects | awk '$1 == "U" { print $2 }' | sort -u > "$scratch/needed"
nm --defined-only "$libmpi" | awk 'NF == 3 { print $3 }' > "$scratch/available"
libc=$(ldd "$libmpi" | awk '/libc\.so/ { print $3 }')
nm -D --defined-only "$libc" | awk 'NF == 3 { sub("@.*", "", $3); print $3 }' >> "$scratch/available"
sort -u "$scratch/available" -o "$scratch/available"
nothing_missing()
{
    comm -23 "$scratch/needed" "$scratch/available" > "$scratch/missing"
    cat "$scratch/missing"
    [ ! -s "$scratch/missing" ]
}
check "our objects need only libmpi and libc" nothing_missing

readelf -d "$libmpi" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' > "$scratch/libraries"
echo "# libmpi.so needs: $(tr '\n' ' ' < "$scratch/libraries")"
no_library_of_ours()
{
    ! grep -E 'json|autotune|cmocka|hwloc' "$scratch/libraries"
}
check "libmpi needs no library of ours" no_library_of_ours
done_testing
