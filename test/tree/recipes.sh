#!/bin/sh
# Recipes for Spack and EasyBuild, which are not run here: they are Python, and what they name of
# this tree, its version, configure's options, scripts and ROMIO's list of drivers, is there.
. "${top_srcdir:?}/test/lib.sh"

repository=$top_srcdir/packaging/spack/spack_repo/romio_autotune
mpich=$repository/packages/mpich/package.py
own=$repository/packages/romio_autotune/package.py
easyconfig=$(find "$top_srcdir/packaging/easybuild" -name '*.eb')
mpich_version=$(sed -n 's/^AC_SUBST(\[MPICH_VERSION\], \[\(.*\)\])$/\1/p' "$top_srcdir/configure.ac")
drivers=$(grep -o 'with-file-system=[a-z+]*' "$top_srcdir/tools/mpich/build")

# strings FILE: to $scratch/strings
strings()
{
    python3 "$top_srcdir/test/tree/recipes.py" "$1" > "$scratch/strings"
}
has()
{
    strings "$1" && cat "$scratch/strings" && grep -qF -e "$2" "$scratch/strings"
}
echo 'version(' > "$scratch/bad.py"
refused()
{
    ! strings "$scratch/bad.py"
}
check "what is not Python is refused" refused

for recipe in "$mpich" "$easyconfig"; do
    name=$(basename "$recipe")
    check "$name: ROMIO's drivers" has "$recipe" "--$drivers"
    check "$name: a header for Lustre" has "$recipe" /adio/compat
done
check "the header is there" test -f "$top_srcdir/adio/compat/lustre/lustre_user.h"
check "mpich: the version that there are patches for" has "$mpich" "@$mpich_version +romio"
check "mpich: adds the driver by the script" has "$mpich" add-driver
check "easyconfig: adds the driver by the script" has "$easyconfig" /tools/mpich/add-driver
check "the script is there" test -x "$top_srcdir/tools/mpich/add-driver"
check "easyconfig: version of MPICH" has "$easyconfig" "$mpich_version"
check "easyconfig: our version" has "$easyconfig" "$AUTOTUNE_VERSION"
check "romio-autotune: our version" has "$own" "$AUTOTUNE_VERSION"
check "romio-autotune: MPICH's archive" has "$own" "mpich-$mpich_version.tar.gz"
same_checksum()
{
    for _recipe in "$own" "$easyconfig"; do
        strings "$_recipe" && grep -xE '[0-9a-f]{64}' "$scratch/strings" || return 1
    done > "$scratch/checksums"
    [ "$(sort -u "$scratch/checksums" | wc -l)" -eq 1 ]
}
check "one checksum of MPICH's archive" same_checksum

# the options of ours that it gives are options of configure
known_options()
{
    strings "$own" && sed -n 's/^--\([a-z-]*\)=.*/\1/p' "$scratch/strings" > "$scratch/options"
    [ "$(wc -l < "$scratch/options")" -ge 4 ] || return 1
    while read -r _option; do
        case $_option in
            prefix | libdir) ;;
            with-*) grep -qF "AC_ARG_WITH([${_option#with-}]" "$top_srcdir/configure.ac" || echo "$_option" ;;
            *) echo "$_option" ;;
        esac
    done < "$scratch/options" > "$scratch/unknown"
    cat "$scratch/unknown"
    [ ! -s "$scratch/unknown" ]
}
check "romio-autotune: configure's options" known_options

# a library that configure looks for has a dependency, by the name that Spack has for it
depends()
{
    strings "$own" && while read -r _ours _spack; do
        grep -q "$_ours" "$top_srcdir/configure.ac" || echo "configure does not look for $_ours"
        grep -qE "^$_spack(@|$)" "$scratch/strings" || echo "$_ours: no dependency on $_spack"
    done > "$scratch/missing" <<END
json-c json-c
expat expat
gsl gsl
svm libsvm
sqlite3 sqlite
libpq postgresql
otf2 otf2
libmicrohttpd libmicrohttpd
xgboost xgboost
openmpi openmpi
END
    cat "$scratch/missing"
    [ ! -s "$scratch/missing" ]
}
check "romio-autotune: all that configure looks for" depends

# where the recipes are, seen from the tree: parents[6] of their path
tree_of()
{
    _top=$(cd "$top_srcdir" && pwd -P)
    python3 -c 'import pathlib, sys; print(pathlib.Path(sys.argv[1]).resolve().parents[6])' "$1" |
        grep -xF "$_top"
}
check "mpich: finds the tree" tree_of "$mpich"
check "romio-autotune: finds the tree" tree_of "$own"
check "the repository's name is its folder's" grep -q '^  namespace: romio_autotune$' "$repository/repo.yaml"
done_testing
