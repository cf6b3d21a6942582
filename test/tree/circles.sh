#!/bin/sh
# No circles: between headers of the driver, of adio/ and of models/, between the objects of a folder of
# models/ or of a tool, and between the driver's, where each file calls only files that the map in
# ad_autotune/ad_autotune.h lists after it.
. "${top_srcdir:?}/test/lib.sh"

# includes TREE FOLDER...: edges between the files of TREE's folders.  A name is
# looked up beside the file that includes it, then in each FOLDER; what is in none of
# them is not ours.
includes()
{
    (
        cd "$1" && shift &&
        find "$@" -name '*.[ch]' | sort | while IFS= read -r _file; do
            for _name in $(sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\(.*\)".*/\1/p' "$_file"); do
                for _folder in "${_file%/*}" "$@"; do
                    [ -f "$_folder/$_name" ] || continue
                    echo "$_file $_folder/$_name"
                    break
                done
            done
        done | sed ':up; s,[^ /]*/\.\./,,; t up'
    )
}

# calls OBJECT...: edges from an object to those that define what it needs
calls()
{
    nm -A -g "$@" | awk '
        {
            object = $1
            sub(":[^:]*$", "", object)
            sub(".*/", "", object)
            sub("\\.o$", "", object)
            sub("^[a-z_]*_la-", "", object)
            if ($(NF - 1) == "U")
                needs[object, $NF]
            else
                defines[$NF] = object
        }
        END {
            for (need in needs) {
                split(need, part, SUBSEP)
                if (part[2] in defines && defines[part[2]] != part[1])
                    print part[1], defines[part[2]]
            }
        }' | sort -u
}

no_circle()
{
    awk -f "$top_srcdir/test/tree/circles.awk" "$1"
}

# not for want of awk or of the file
circle()
{
    no_circle "$1"
    [ $? -eq 1 ]
}

# --- made-up circles are found

mkdir -p "$scratch/made/up/deep"
echo '#include "deep/b.h"' > "$scratch/made/up/a.h"
echo '#include "c.h"' > "$scratch/made/up/deep/b.h"
echo '  # include "a.h" /* from the folder above */' > "$scratch/made/up/deep/c.h"
printf '#include "a.h"\n#include <stdio.h>\n#include "elsewhere.h"\n' > "$scratch/made/up/a.c"
includes "$scratch/made" up > "$scratch/made.includes"
check "every include of a made-up tree is seen" test "$(wc -l < "$scratch/made.includes")" -eq 4
check "a circle of three headers is found" circle "$scratch/made.includes"
sed -i '/c.h up.a.h/d' "$scratch/made.includes"
check "without one of the includes there is none" no_circle "$scratch/made.includes"

echo 'int g(void); int f(void) { return g(); }' > "$scratch/made/f.c"
echo 'int h(void); int g(void) { return h(); }' > "$scratch/made/g.c"
echo 'int f(void); int (*table)(void) = f; int h(void) { return 0; }' > "$scratch/made/h.c"
for name in f g h; do "${CC:-cc}" -c "$scratch/made/$name.c" -o "$scratch/made/$name.o"; done
calls "$scratch"/made/[fgh].o > "$scratch/made.calls"
check "every call of made-up objects is seen" test "$(wc -l < "$scratch/made.calls")" -eq 3
check "a circle of three objects is found" circle "$scratch/made.calls"
calls "$scratch"/made/[fg].o > "$scratch/made.calls"
check "without one of the objects there is none" no_circle "$scratch/made.calls"

# --- ours

includes "$top_srcdir" ad_autotune adio models > "$scratch/includes"
check "the driver includes the models" grep -q '^ad_autotune/.* models/' "$scratch/includes"
check "no circle of headers" no_circle "$scratch/includes"
nothing_upwards()
{
    ! grep -E '^(models|adio)/.* ad_autotune/|^models/.* adio/' "$scratch/includes"
}
check "models and adio know nothing of the driver, nor models of adio" nothing_upwards

names_twice()
{
    (cd "$top_srcdir" && find ad_autotune adio models preload watch tools tune site study -name '*.[ch]') | sed 's,.*/,,' |
        sort | uniq -d > "$scratch/twice"
    cat "$scratch/twice"
    [ ! -s "$scratch/twice" ]
}
check "no two files have one name" names_twice

# objects_of FOLDER...: those of today's sources, the last that were made: a build folder may have older ones
objects_of()
{
    (cd "$top_srcdir" && find "$@" -name '*.c') | sed 's,\.c$,,' | while read -r _name; do
        _folder=$top_builddir/${_name%/*} _name=${_name##*/}
        # shellcheck disable=SC2012 # by age
        ls -t "$_folder/$_name.o" "$_folder/.libs/$_name.o" "$_folder"/lib*_la-"$_name.o" \
            "$_folder"/.libs/lib*_la-"$_name.o" 2> /dev/null | head -n 1
    done
}
for folder in models tools/common tools/report site/state site/collect; do
    # shellcheck disable=SC2046
    calls $(objects_of $folder) > "$scratch/calls"
    check "$folder: calls are seen" test "$(wc -l < "$scratch/calls")" -gt 3
    check "$folder: no circle of its objects" no_circle "$scratch/calls"
done

# the driver's
driver=$MPICH_BUILD/src/mpi/romio/adio/ad_autotune
objects=''
for source in "$top_srcdir"/ad_autotune/*.c; do
    name=$(basename "$source" .c)
    object=$driver/.libs/$name.o
    [ -f "$object" ] || object=$driver/$name.o
    objects="$objects $object"
done
# shellcheck disable=SC2086
calls $objects > "$scratch/calls"
check "the top file calls the driver's open" grep -q '^ad_autotune ad_autotune_open$' "$scratch/calls"
check "no circle of the driver's objects" no_circle "$scratch/calls"

sed -n '1,/\*\//s/^ \*.* \(ad_autotune[a-z_]*\)\.c .*/\1/p' "$top_srcdir/ad_autotune/ad_autotune.h" > "$scratch/map"
whole_map()
{
    (cd "$top_srcdir/ad_autotune" && ls ./*.c) | sed 's,^\./,,; s,\.c$,,' | sort > "$scratch/files"
    sort "$scratch/map" | diff "$scratch/files" -
}
check "the map lists every file once" whole_map
down_the_map()
{
    awk 'NR == FNR { place[$1] = NR; next }
        place[$1] >= place[$2] { print $1 " calls " $2 ", which is before it"; bad = 1 }
        END { exit bad }' "$scratch/map" "$scratch/calls"
}
check "every file calls only files after it" down_the_map
done_testing
