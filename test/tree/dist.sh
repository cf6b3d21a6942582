#!/bin/sh
# make dist: the archive has the files of the clone and what automake makes, nothing else; what is
# unpacked from it knows its own files and, in the full tier, builds without git.
. "${top_srcdir:?}/test/lib.sh"

name=romio-autotune-$AUTOTUNE_VERSION
# what is tracked but of no use without a clone; what is made
left_out='^(\.ci/.*|\.gitignore)$'
made='^(MANIFEST|Makefile\.in|aclocal\.m4|configure|build-aux/.*)$'

if [ ! -e "$top_srcdir/.git" ] || ! command -v git > /dev/null; then
    skip "make dist" "this is not a clone"
    done_testing
    exit
fi

# quick to compress; the archive is made in the build folder
archive()
{
    XZ_OPT=-0 make -C "$top_builddir" dist-xz && mv "$top_builddir/$name.tar.xz" "$scratch/"
}
check "make dist" archive

tar tf "$scratch/$name.tar.xz" | sed -n "s,^$name/,,; /[^/]\$/p" | sort > "$scratch/packed"
(cd "$top_srcdir" && git ls-files) | grep -vE "$left_out" | sort > "$scratch/tracked"
check "every tracked file is in it" sh -c "comm -13 '$scratch/packed' '$scratch/tracked' | { ! grep . ; }"
others()
{
    comm -23 "$scratch/packed" "$scratch/tracked" > "$scratch/others"
    ! grep -vE "$made" "$scratch/others" && grep -q '^configure$' "$scratch/others"
}
check "and nothing else but what is made" others

check "it unpacks" tar xf "$scratch/$name.tar.xz" -C "$scratch"
unpacked=$scratch/$name
same_list()
{
    "$unpacked/tools/manifest" | sort | diff "$scratch/tracked" -
}
check "what is unpacked knows its files" same_list
check "configure need not be made again" test ! "$unpacked/configure" -ot "$unpacked/configure.ac"
check "its scripts can be run" "$unpacked/quickstart" --help

# what goes into MPICH
same_driver()
{
    mkdir -p "$scratch/a/src/mpi/romio/adio" "$scratch/b/src/mpi/romio/adio" &&
        "$top_srcdir/tools/mpich/sync" "$scratch/a" && "$unpacked/tools/mpich/sync" "$scratch/b" &&
        diff -r "$scratch/a" "$scratch/b"
}
check "the same driver" same_driver

# --- the whole build

tarball=$(find "$top_builddir/mpich" -maxdepth 1 -name 'mpich_*.orig.tar.xz')
built()
{
    mkdir "$unpacked/build" && cd "$unpacked/build" &&
        ../configure --prefix="$scratch/installed" --with-mpich-tarball="$tarball" && make install &&
        "$scratch/installed/bin/autotune" --version
}
if [ -z "${AUTOTUNE_FULL-}" ]; then
    skip "configure && make && make install" "only in the full tier"
elif [ -z "$tarball" ]; then
    skip "configure && make && make install" "MPICH's source was not fetched by this build"
else
    check "configure && make && make install" built
fi
done_testing
