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

# where README.md's links lead to, there is a document; and from the guide's pages to each other
documents=$stage$prefix/share/doc/romio-autotune
leads()
{
    (
        cd "$documents" || exit 1
        for _page in README.md doc/guide/*.md; do
            grep -oE '\]\([^) :#]+\.md' "$_page" | sed 's,^](,,' | while read -r _link; do
                [ -f "${_page%"${_page##*/}"}$_link" ] || echo "$_page: $_link"
            done
        done
    ) > "$scratch/dead"
    cat "$scratch/dead"
    [ ! -s "$scratch/dead" ] && [ -f "$documents/doc/guide/use.md" ]
}
check "links of README.md and the guide lead to documents that are installed" leads

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
# of the tools and the preload library none needs the MPICH that is in the third package
without_mpich()
{
    for _package in romio-autotune libromio-autotune-preload; do matched "$debian/$_package.install"; done |
        (cd "$stage$prefix" && xargs -d '\n' readelf -d 2> "$scratch/no-elf") | grep -E 'File:|NEEDED.*\[libmpi' > "$scratch/needed"
    grep -B1 NEEDED "$scratch/needed"
    grep -q 'File: bin/autotune$' "$scratch/needed" && ! grep -q NEEDED "$scratch/needed" &&
        ! sed -n '/^Package: mpich-autotune/q; /^Depends:/p' "$debian/control" | grep mpich-autotune
}
packaged=$(sed -n 's/^AC_SUBST(\[MPICH_VERSION\], \[\(.*\)\])$/\1/p' "$top_srcdir/configure.ac")
if ! grep -q "^#define MPICH_VERSION \"$packaged\"" "$MPICH_BUILD/src/include/mpi.h"; then
    skip "Debian's packages have every file once" "they are of MPICH $packaged, and this is another"
elif [ -e "$stage$prefix/lib/libromio-autotune.so" ]; then
    check "Debian's packages have every file once" shared_out
    check "two of them need no MPICH" without_mpich
else
    skip "Debian's packages have every file once" "no preload library is made here"
fi

# one verb that each library is for loads it, and autotune none of them
needs()
{
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p' > "$scratch/needed"
    cat "$scratch/needed"
    ! grep -vE '^(libc|libm|libjson-c|ld-linux[a-z0-9-]*|linux-vdso)\.so' "$scratch/needed" && [ -s "$scratch/needed" ]
}
check "autotune needs json-c, and nothing else of what other nodes may lack" needs "$stage$prefix/bin/autotune"
helpers=$stage$prefix/libexec/romio-autotune
apart()
{
    for _pair in search:expat serve:microhttpd state:xgboost; do
        readelf -d "$helpers"/autotune-* | awk -v library="${_pair#*:}" -v program="autotune-${_pair%:*}" '
            /^File: / { file = $2; sub(".*/", "", file) }
            /NEEDED/ && index($0, "lib" library) && file != program { print file ": " $0; bad = 1 }
            END { exit bad }' || return 1
    done
}
check "a library of one verb is loaded by that alone" apart
for verb in history search serve state train; do
    check "staged: autotune $verb" test -x "$helpers/autotune-$verb"
    check "autotune $verb is found beside it" ends 0 "usage: autotune $verb" "$top_builddir/tools/autotune/autotune" $verb --help
done
check "autotune search: spaces of its own tree" ends 2 "are parameters of $stage" env -u ROMIO_AUTOTUNE_SPACES \
    "$helpers/autotune-search" --space plain --parameters none -- true
cp "$stage$prefix/bin/autotune" "$scratch/autotune"
if [ -e "$prefix/libexec/romio-autotune/autotune-serve" ]; then
    skip "autotune: a verb that is not there" "it is: this tree is installed"
else
    check "autotune: a verb that is not there" ends 1 "autotune serve: $prefix/libexec/romio-autotune/autotune-serve: No such file" \
        "$scratch/autotune" serve
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

# --- and nothing is left of it

mkdir -p "$stage$prefix/etc/romio-autotune"
echo mine | tee "$stage$prefix/etc/romio-autotune/profile.json" > "$stage$prefix/lib/mine"
check "make uninstall" make -C "$top_builddir" uninstall DESTDIR="$stage"
only_mine()
{
    (cd "$stage$prefix" && find . ! -type d | sort) > "$scratch/left"
    cat "$scratch/left"
    [ "$(tr '\n' ' ' < "$scratch/left")" = "./etc/romio-autotune/profile.json ./lib/mine " ]
}
check "leaves what it did not install, and nothing else" only_mine
done_testing
