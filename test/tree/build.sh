#!/bin/sh
# Wrong input to the scripts that build MPICH: a sentence, and nothing built.
. "${top_srcdir:?}/test/lib.sh"

unpack=$top_srcdir/tools/mpich/unpack

# refuses TEXT COMMAND...: COMMAND fails and says TEXT
refuses()
{
    _text=$1
    shift
    if "$@" > "$scratch/said" 2>&1; then
        echo "it did not fail"
        return 1
    fi
    cat "$scratch/said"
    grep -qF -e "$_text" "$scratch/said"
}

check "a missing archive" refuses "none.tar: no such file" "$unpack" "$scratch/none.tar" "$scratch/to"
echo garbage > "$scratch/garbage.tar.xz"
check "an archive that is none" refuses "not an archive of MPICH's source" \
    "$unpack" "$scratch/garbage.tar.xz" "$scratch/to"
mkdir -p "$scratch/mpich-1.2.3/src" "$scratch/mpich-4.0.2/src/mpi/romio" "$scratch/mpich-99.0.1/src"
tar cf "$scratch/old.tar" -C "$scratch" mpich-1.2.3/src
check "a version without patches" refuses "MPICH 1.2.3, but there are patches only for 4.0 and later" \
    "$unpack" "$scratch/old.tar" "$scratch/to"
tar cf "$scratch/future.tar" -C "$scratch" mpich-99.0.1/src
check "a version that nobody has seen" refuses \
    "MPICH 99.0.1, but patches for 4.1 and later were last read against 5.0.1" \
    "$unpack" "$scratch/future.tar" "$scratch/to"
tar cf "$scratch/other.tar" -C "$scratch" mpich-4.0.2/src
check "patches that do not apply" refuses "does not apply to MPICH 4.0.2" \
    "$unpack" "$scratch/other.tar" "$scratch/to"
check "adding the driver to a version without patches" refuses "there are no patches for MPICH 1.2.3" \
    "$top_srcdir/tools/mpich/add-driver" 1.2.3 "$scratch/mpich-1.2.3"
check "an unfinished tree is not taken for a finished one" test ! -f "$scratch/to/unpacked"

check "a version to fetch without a checksum" refuses "no checksum of MPICH 4.1 is known" \
    "$top_srcdir/tools/mpich/fetch" 4.1 "$scratch/fetched.tar"

# patches_of VERSION: the set that is chosen for it
patches_of()
(
    . "$top_srcdir/tools/mpich/lib.sh"
    basename "$(patches_for "$top_srcdir/patches" "$1")"
)
for choice in 3.4.3: 4.0:mpich-4.0 4.0.3:mpich-4.0 4.1rc1:mpich-4.1 4.2.3:mpich-4.1 4.10:mpich-4.1 \
    5.0.1:mpich-4.1 10.0:mpich-4.1; do
    check "patches for MPICH ${choice%:*}" test "$(patches_of "${choice%:*}")" = "${choice#*:}"
done

# is_complete SET: it has what unpack reads, in the order of versions
is_complete()
(
    . "$top_srcdir/tools/mpich/lib.sh"
    cd "$1" && cat series applied && [ "$(head -n 1 applied)" = "${1##*/mpich-}" ] || return 1
    while read -r patch; do [ -s "$patch" ] || return 1; done < series
    last=0
    while read -r version; do
        [ "$(version_number "$version")" -gt "$last" ] || return 1
        last=$(version_number "$version")
    done < applied
)
for set in "$top_srcdir"/patches/mpich-*; do
    check "${set##*/} is complete" is_complete "$set"
done

check "quickstart --help" "$top_srcdir/quickstart" --help
check "an unknown option" refuses "unknown option --nonsense" "$top_srcdir/quickstart" --nonsense
check "a missing value" refuses "--prefix needs a value" "$top_srcdir/quickstart" --prefix

# sync copies what changed, and only that
source=$scratch/mpich-4.0.2
driver=$source/src/mpi/romio/adio/ad_autotune
"$top_srcdir/tools/mpich/sync" "$source"
touch -d '2001-01-01' "$driver/ad_autotune.c" "$driver/atc/atc.h"
touch "$driver/stale.c"
echo changed > "$driver/ad_autotune.h"
"$top_srcdir/tools/mpich/sync" "$source"
check "files that did not change keep their times" test "$driver/ad_autotune.c" -ot "$driver/ad_autotune.h"
check "files that changed are copied" cmp "$driver/ad_autotune.h" "$top_srcdir/ad_autotune/ad_autotune.h"
check "files that are gone are removed" test ! -f "$driver/stale.c"
done_testing
