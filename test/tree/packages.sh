#!/bin/sh
# Debian packages: the recipe says what configure and install do; in the full tier they are built,
# checked by lintian, and compared with Debian's own MPICH.
. "${top_srcdir:?}/test/lib.sh"

debian=$top_srcdir/packaging/debian
build=$top_srcdir/packaging/build-deb

check "build-deb --help" "$build" --help
refuses()
{
    "$@" > "$scratch/said" 2>&1
    [ $? -eq 2 ]
}
check "an unknown option" refuses "$build" --nonsense
check "a missing value" refuses "$build" --out

# every package that configure's needs are in is a build dependency: the table's names for apt
depends()
{
    sed -n '/^Build-Depends:/,/^[A-Z][a-z-]*-[A-Z].*:/p' "$debian/control" | tr -s ', ' '\n' | sort -u > "$scratch/depends"
    awk '$1 == "module" && $3 == "build" || $2 ~ /svm/ || $2 ~ /^(auto|libtoolize)/ { print $4 }' "$top_srcdir/tools/setup/needs" |
        sort -u > "$scratch/needs"
    cat "$scratch/needs"
    [ -s "$scratch/needs" ] && comm -23 "$scratch/needs" "$scratch/depends" | { ! grep . ; }
}
check "what is needed is a build dependency" depends
listed()
{
    sed -n 's/^Package: //p' "$debian/control" | while read -r _package; do
        [ -f "$debian/$_package.install" ] || echo "no $_package.install"
    done > "$scratch/without"
    cat "$scratch/without"
    [ ! -s "$scratch/without" ] && [ "$(sed -n 's/^Package: //p' "$debian/control" | wc -l)" -eq 3 ]
}
check "every package has its files" listed

give_up()
{
    skip "building the packages" "$1"
    done_testing
    exit
}
[ -n "${AUTOTUNE_FULL-}" ] || give_up "only in the full tier"
for tool in dpkg-buildpackage dh lintian gfortran; do
    command -v "$tool" > /dev/null || give_up "$tool is not installed"
done
tarball=$(find "$top_builddir/mpich" -maxdepth 1 -name 'mpich_*.orig.tar.xz')
[ -n "$tarball" ] || give_up "MPICH's source was not fetched by this build"

built()
{
    # not with the flags of the make that runs this
    unset MAKEFLAGS MFLAGS MAKELEVEL
    DEBFULLNAME='A Tester' DEBEMAIL=tester@romio-autotune.invalid \
        "$build" --out "$scratch/deb" --mpich-tarball "$tarball"
}
check "build-deb" built
silent()
{
    [ -f "$scratch/deb/lintian.log" ] && ! grep '^[EW]:' "$scratch/deb/lintian.log"
}
check "lintian neither finds errors nor warns" silent

# files of a package, without folders
files()
{
    dpkg-deb -c "$scratch"/deb/"$1"_*.deb | awk '$1 !~ /^d/ { print $6 }' | sed 's,^\.,,' | sort
}
for package in romio-autotune libromio-autotune-preload mpich-autotune; do
    files "$package" > "$scratch/$package.files"
    check "$package has files" test -s "$scratch/$package.files"
done
apart()
{
    sort "$scratch"/*.files | uniq -d > "$scratch/twice"
    cat "$scratch/twice"
    [ ! -s "$scratch/twice" ]
}
check "no file is in two of them" apart
beside()
{
    dpkg -L mpich libmpich12 libmpich-dev | while read -r _file; do [ -d "$_file" ] || echo "$_file"; done |
        sort > "$scratch/debians"
    sort "$scratch"/*.files | comm -12 - "$scratch/debians" > "$scratch/both"
    cat "$scratch/both"
    [ -s "$scratch/debians" ] && [ ! -s "$scratch/both" ]
}
if dpkg -L mpich libmpich12 libmpich-dev > /dev/null 2>&1; then
    check "none is one of Debian's MPICH" beside
else
    skip "none is one of Debian's MPICH" "it is not installed"
fi
check "the tools are where everybody finds them" grep -q '^/usr/bin/autotune$' "$scratch/romio-autotune.files"
check "the library is where the tools look" \
    grep -q '^/usr/lib/mpich-autotune/lib/libromio-autotune.so$' "$scratch/libromio-autotune-preload.files"
unpack()
{
    for _package in "$scratch"/deb/*_*.deb; do dpkg-deb -x "$_package" "$scratch/root" || return 1; done
}
check "they unpack" unpack
looks()
{
    for _file in bin/autotune lib/mpich-autotune/lib/libmpi.so; do
        strings -a "$scratch/root/usr/$_file" > "$scratch/strings" && grep -q '/etc$' "$scratch/strings" &&
            ! grep 'mpich-autotune/etc' "$scratch/strings" || return 1
    done
}
check "tools and driver look for profiles in /etc" looks

# verbs that are programs of their own find autotune, which is in another folder, and spaces
expected=$top_srcdir/test/tools
cd "$scratch" || exit 99
. "$top_srcdir/test/tools/foreign.lib.sh"
searches()
{
    env -u ROMIO_AUTOTUNE_SPACES PATH="$scratch/root/usr/bin:$PATH" \
        "$scratch/root/usr/lib/mpich-autotune/libexec/romio-autotune/autotune-search" --library "$driver" --space plain \
        --parameters cb_nodes --metric command --runs 2 --output searched -- ./foreign
}
check "autotune search finds autotune, and its spaces" searches
needs()
{
    dpkg-deb -f "$scratch"/deb/"$1"_*.deb Depends > "$scratch/depends"
    cat "$scratch/depends"
    [ -s "$scratch/depends" ] && ! grep -iE 'mpi' "$scratch/depends"
}
check "the tools need no MPI" needs romio-autotune
check "nor does the preload library" needs libromio-autotune-preload
done_testing
