#!/bin/sh
# What is installed names no folder that it was made in, and can be staged.
. "${top_srcdir:?}/test/lib.sh"

prefix=${MPICC%/bin/mpicc}
source=$(cd "$top_srcdir" && pwd -P)

# foreign_paths DIRECTORY WORD: what its files, binaries too, have of paths below
# WORD, but for those below the prefix
foreign_paths()
{
    find "$1" -type f -exec grep -aoHE "$2(/[^][:cntrl:][:space:]:;,\"'()]*)?" {} + |
        sed "s,^$1/,," | grep -vE ":$prefix(/|\$)" | sort -u
}
none_of()
{
    foreign_paths "$1" "$2" > "$scratch/found"
    cat "$scratch/found"
    [ ! -s "$scratch/found" ]
}

echo "flags: -I$source/adio/compat -L$prefix/lib" > "$scratch/control"
mkdir "$scratch/controls" && mv "$scratch/control" "$scratch/controls/"
control_is_found()
{
    ! none_of "$scratch/controls" "$source" && grep -q 'control:.*/adio/compat$' "$scratch/found" &&
        [ "$(wc -l < "$scratch/found")" -eq 1 ]
}
check "a path of the source is found" control_is_found

stage=$scratch/stage
check "make install DESTDIR=..." make -C "$top_builddir" install DESTDIR="$stage"
for file in bin/mpicc bin/mpiexec lib/libmpi.so lib/libmpich.so.12 lib/pkgconfig/mpich.pc include/mpi.h \
    bin/autotune bin/autotune-calibrate lib/pkgconfig/romio-autotune.pc; do
    check "staged: $file" test -e "$stage$prefix/$file"
done
check "nothing staged elsewhere" test "$(cd "$stage" && find . -type f | grep -vc "^\.$prefix/")" -eq 0
check "no path of the source" none_of "$stage" "$source"
check "no path of the build" none_of "$stage" "$top_builddir"
check "no path of the stage" none_of "$stage" "$stage"

# what pkg-config tells of the staged files, as if they were installed
asked()
{
    PKG_CONFIG_PATH=$stage$prefix/lib/pkgconfig pkg-config "$@" romio-autotune
}
answers()
{
    _answer=$1
    shift
    asked "$@" > "$scratch/answer" && cat "$scratch/answer"
    [ "$(sed 's/ *$//' "$scratch/answer")" = "$_answer" ]
}
check "romio-autotune.pc is valid" asked --validate
check "romio-autotune.pc: version" answers "$AUTOTUNE_VERSION" --modversion
check "romio-autotune.pc: profiles" answers "$prefix/etc/romio-autotune" --variable=profiledir
check "romio-autotune.pc: nothing to link" answers "" --libs
if [ -e "$stage$prefix/lib/libromio-autotune.so" ]; then
    check "romio-autotune.pc: what to preload" answers "$prefix/lib/libromio-autotune.so" --variable=preload
else
    check "romio-autotune.pc: nothing to preload" answers "" --variable=preload
fi

# packaging/debian shares out what is staged: every file to one package, or to none on purpose
debian=$top_srcdir/packaging/debian
# matched LIST: the staged files that its first column names, with folders for all in them
matched()
{
    sed 's, .*,,; s,^usr/lib/mpich-autotune/,,' "$1" | while read -r _pattern; do
        # shellcheck disable=SC2086 # a pattern
        (cd "$stage$prefix" && set -- $_pattern && find "$@" ! -type d) || echo "nothing is $_pattern"
    done
}
shared_out()
{
    (cd "$stage$prefix" && find . ! -type d) | sed 's,^\./,,' | sort > "$scratch/staged"
    for _list in "$debian"/*.install "$debian/not-installed"; do matched "$_list"; done |
        sort > "$scratch/shared"
    diff "$scratch/staged" "$scratch/shared"
}
packaged=$(sed -n 's/^AC_SUBST(\[MPICH_VERSION\], \[\(.*\)\])$/\1/p' "$top_srcdir/configure.ac")
if ! grep -q "^#define MPICH_VERSION \"$packaged\"" "$MPICH_BUILD/src/include/mpi.h"; then
    skip "Debian's packages have every file once" "they are of MPICH $packaged, and this is another"
elif [ -e "$stage$prefix/lib/libromio-autotune.so" ]; then
    check "Debian's packages have every file once" shared_out
else
    skip "Debian's packages have every file once" "no preload library is made here"
fi

flags()
{
    "$MPICC" -show > "$scratch/shown" && cat "$scratch/shown"
    ! grep -qE 'compat|-O|-g( |$)' "$scratch/shown"
}
check "mpicc adds nothing of how MPICH was built" flags

# a program in each language there is a compiler for
printf '#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); return MPI_Finalize(); }\n' \
    > "$scratch/program.c"
cp "$scratch/program.c" "$scratch/program.cc"
cat > "$scratch/program.f90" <<'END'
program p
  use mpi
  integer :: e
  call mpi_init(e)
  call mpi_finalize(e)
end program
END
for language in mpicc:gcc:c mpicxx:g++:cc mpif90:gfortran:f90; do
    IFS=: read -r wrapper compiler suffix <<END
$language
END
    if ! command -v "$compiler" > /dev/null; then
        skip "$wrapper" "no $compiler"
        continue
    fi
    check "$wrapper compiles" "${MPICC%/*}/$wrapper" -o "$scratch/program" "$scratch/program.$suffix"
    check "what $wrapper made runs" mpi 2 "$scratch/program"
done
done_testing
