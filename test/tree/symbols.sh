#!/bin/sh
# Nothing of ours (the driver, adio/, models/) or of MPICH's json-c is visible in
# libmpi's dynamic table, and our objects need no library that MPICH without them
# would not need.
. "${top_srcdir:?}/test/lib.sh"

libmpi=$LIBDIR/libmpi.so
romio=$MPICH_BUILD/src/mpi/romio
objects=$(tr ' ' '\n' < "$MPICH_SOURCE/src/mpi/romio/adio/ad_autotune/sources.mk" |
    sed -n 's,^\(adio/.*\)/\(.*\)\.c$,\1/.libs/\2.o,p' | sed "s,^,$romio/,")

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
none_defined()
{
    awk 'NF == 3 { sub("@.*", "", $3); print $3 }' "$scratch/exported" | sort -u |
        comm -12 - "$scratch/defined" > "$scratch/both"
    cat "$scratch/both"
    [ ! -s "$scratch/both" ]
}
check "none of our objects' symbols is exported" none_defined
check "the models are among them" grep -q '^ADIOI_AUTOTUNE_atm_choose$' "$scratch/defined"
check "global symbols of our objects have names of their own" only_our_names

# A program with the rights of another user does not obey variables; but for the one that is
# ROMIO's own, which ROMIO itself reads.
only_secure_variables()
{
    # shellcheck disable=SC2086
    nm -A -u $objects | sed -n 's,^.*/\([^/]*\)\.o: *U getenv$,\1,p' |
        grep -vxE 'ad_autotune(_wrapped)?' > "$scratch/insecure"
    cat "$scratch/insecure"
    [ ! -s "$scratch/insecure" ]
}
check "variables are read only if the program has its user's rights" only_secure_variables

# What only tools call is not compiled in (tools/mpich/sync): each object defines something
# that another needs, but for the driver's table.
every_object_is_needed()
{
    # shellcheck disable=SC2086
    nm -A -g $objects | awk '
        { object = $1; sub(":[^:]*$", "", object) }
        $(NF - 1) == "U" { needed[$NF] = 1; next }
        { defines[object] = defines[object] " " $NF }
        END {
            needed["ADIO_AUTOTUNE_operations"] = 1
            for (object in defines) {
                count = split(defines[object], names, " ")
                for (i = 1; i <= count && !(names[i] in needed); i++) {}
                if (i > count) { print object; unused = 1 }
            }
            exit unused
        }'
}
check "every object of ours is needed" every_object_is_needed

# Every symbol our objects lack is libmpi's, of one of the two libraries that
# MPICH needs by itself, or of the dynamic loader, which is always there
# (__tls_get_addr on x86_64).
# shellcheck disable=SC2086
nm -u $objects | awk '$1 == "U" { print $2 }' | sort -u > "$scratch/needed"
nm --defined-only "$libmpi" | awk 'NF == 3 { print $3 }' > "$scratch/available"
for library in $(ldd "$libmpi" | awk '/lib[cm]\.so/ { print $3 } /^[ \t]*\/.*\/ld-linux/ { print $1 }'); do
    nm -D --defined-only "$library" | awk 'NF == 3 { sub("@.*", "", $3); print $3 }' >> "$scratch/available"
done
sort -u "$scratch/available" -o "$scratch/available"
nothing_missing()
{
    comm -23 "$scratch/needed" "$scratch/available" > "$scratch/missing"
    cat "$scratch/missing"
    [ ! -s "$scratch/missing" ]
}
check "our objects need only libmpi, libc, libm and the loader" nothing_missing

readelf -d "$libmpi" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' > "$scratch/libraries"
echo "# libmpi.so needs: $(tr '\n' ' ' < "$scratch/libraries")"
no_library_of_ours()
{
    ! grep -vE '^lib[cm]\.so|^ld-linux' "$scratch/libraries"
}
check "libmpi needs only libc and libm" no_library_of_ours
done_testing
