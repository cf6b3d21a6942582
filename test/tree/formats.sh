#!/bin/sh
# Formats of files: each is declared in models/formats alone, and its README.md says who writes and reads it.
. "${top_srcdir:?}/test/lib.sh"

here=models/formats
cd "$top_srcdir" || exit 99

# code_with PATTERN: lines of product sources that have it outside of comments
code_with()
{
    find ad_autotune adio models preload watch tools tune site study \( -name '*.c' -o -name '*.h' \) -print |
        sort | xargs grep -nE "$1" /dev/null | grep -vE '^[^:]*:[0-9]*:( \*|/\*)'
}
names()
{
    sed -n 's/^#define [A-Z0-9_]*_FORMAT "romio-autotune-\([a-z0-9-]*\)"$/\1/p' $here/formats.h
}
check "there are formats" sh -c "[ $(names | wc -l) -gt 20 ]"
check "each once" sh -c "! echo '$(names | sort | uniq -d)' | grep ."
declared_once()
{
    code_with '"romio-autotune-[a-z0-9-]*"' | grep -v "^$here/formats.h:" > "$scratch/elsewhere"
    # what is printed for a page of results, and never read
    grep -v 'romio-autotune-evaluation"' "$scratch/elsewhere" > "$scratch/found"
    cat "$scratch/found"
    [ ! -s "$scratch/found" ]
}
check "their names stand nowhere else" declared_once
check "nor the spool's" sh -c "[ $(code_with ATWSPOOL | wc -l) -eq 1 ]"

told()
{
    names | while read -r _name; do
        # shellcheck disable=SC2016 # Markdown
        grep -qE '^\|.*`'"$_name"'`.*\|' $here/README.md || echo "README.md does not tell of $_name"
    done > "$scratch/untold"
    cat "$scratch/untold"
    [ ! -s "$scratch/untold" ]
}
check "README.md tells of each" told
# shellcheck disable=SC2016 # Markdown
paths()
{
    sed -n '/^| format /,/^$/p' $here/README.md | grep -o '`[^`]*/[^`]*`' | tr -d '`' | sort -u
}
there()
{
    paths | while read -r _path; do [ -e "$_path" ] || echo "$_path is not there"; done > "$scratch/absent"
    cat "$scratch/absent"
    [ -n "$(paths)" ] && [ ! -s "$scratch/absent" ]
}
check "all that it names is there" there
# shellcheck disable=SC2016 # Markdown
fuzzed()
{
    sed -n '/^| format /,/^$/p' $here/README.md | awk -F'|' 'NR > 2 { print $7 }' | grep -o '`[a-z]*`' | tr -d '`' |
        while read -r _target; do grep -q "^$_target " test/fuzz/targets || echo "$_target is no target"; done > "$scratch/no-target"
    cat "$scratch/no-target"
    [ ! -s "$scratch/no-target" ]
}
check "its fuzz targets are" fuzzed
done_testing
