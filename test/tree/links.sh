#!/bin/sh
# Documents: links lead to files of a release and to headings in them, and the guide's pages can be
# reached from README.md.
. "${top_srcdir:?}/test/lib.sh"

# links FILE...: "FILE LINE TARGET" of every link that is not to another site.  Code has none.
links()
{
    awk '
        /^    / { next }
        {
            gsub(/`[^`]*`/, "")
            while (match($0, /\]\([^) ]*\)/)) {
                target = substr($0, RSTART + 2, RLENGTH - 3)
                if (target !~ /^[a-z]+:/)
                    print FILENAME, FNR, target
                $0 = substr($0, RSTART + RLENGTH)
            }
        }' "$@"
}

# headings FILE: what links to them have behind the #
headings()
{
    sed -n '/^##* /{ s/^#* //; s/`//g; s/[^[:alnum:] _-]//g; s/ /-/g; p; }' "$1" | tr '[:upper:]' '[:lower:]'
}

# dead LIST: links of standard input that lead to none of the files and folders that LIST names, or to no
# heading; with the links that lead somewhere as "FILE TARGET" in $scratch/alive
dead()
{
    : > "$scratch/alive"
    while read -r _file _line _target; do
        case $_target in
            '#'*) _path=${_file#./} ;;
            /*) _path=$_target ;;
            *) _path=$(echo "${_file%/*}/${_target%%#*}" |
                sed ':up; s,[^/]*[^/.]/\.\./,,; t up; s,/$,,; s,^\./,,') ;;
        esac
        if ! awk -v path="$_path" '$0 == path || index($0, path "/") == 1 { found = 1; exit } END { exit !found }' "$1"; then
            echo "$_file:$_line: $_target: no such file"
        elif [ "$_target" != "${_target#*#}" ] && ! headings "$_path" | grep -qxF -e "${_target#*#}"; then
            echo "$_file:$_line: $_target: no such heading"
        else
            echo "$_file $_path" >> "$scratch/alive"
        fi
    done
}
lead_somewhere()
{
    dead "$1" < "$2" > "$scratch/dead"
    cat "$scratch/dead"
    [ ! -s "$scratch/dead" ]
}

# --- dead links are found

mkdir -p "$scratch/made/deep/er" && cd "$scratch/made" || exit 99
printf '# A page: of `mine`\n[b](deep/b.md), [c](deep/er/c.md#two-words)\n[up](deep/er)\n[site](https://x.y/z)\n    [code](no.md)\n`[x](no.md)` [here](#a-page-of-mine)\n' > a.md
printf '[a](../../a.md#a-page-of-mine)\n## Two words\n' > deep/er/c.md
: > deep/b.md
printf '%s\n' ./a.md ./deep/b.md ./deep/er/c.md | sed 's,^\./,,' > "$scratch/list"
links ./a.md ./deep/er/c.md > "$scratch/made.links"
check "every link of made-up pages is seen" test "$(wc -l < "$scratch/made.links")" -eq 5
check "all of them lead somewhere" lead_somewhere "$scratch/list" "$scratch/made.links"
# is_dead TEXT TARGET: a link to TARGET is found dead, because of TEXT
is_dead()
{
    echo "./deep/b.md 1 $2" > "$scratch/bad.links"
    ! lead_somewhere "$scratch/list" "$scratch/bad.links" && [ "$(cat "$scratch/dead")" = "./deep/b.md:1: $2: $1" ]
}
check "a link to no file" is_dead "no such file" c.md
check "a link to part of a name" is_dead "no such file" ../deep/er/c
check "a link out of the tree" is_dead "no such file" /etc/passwd
check "a link to no heading" is_dead "no such heading" er/c.md#two

# --- ours

cd "$top_srcdir" || exit 99
tools/manifest > "$scratch/manifest"
# shellcheck disable=SC2046 # names without blanks
links $(sed -n '/\.md$/s,^,./,p' "$scratch/manifest") > "$scratch/links"
check "README.md has links" grep -q '^\./README\.md ' "$scratch/links"
check "links lead somewhere" lead_somewhere "$scratch/manifest" "$scratch/links"
reached()
{
    grep '^doc/guide/.*\.md$' "$scratch/manifest" | sort > "$scratch/pages"
    sed -n 's,^\./README\.md ,,p' "$scratch/alive" | sort -u | comm -23 "$scratch/pages" - > "$scratch/unreached"
    cat "$scratch/unreached"
    [ -s "$scratch/pages" ] && [ ! -s "$scratch/unreached" ]
}
check "README.md leads to every page of the guide" reached
done_testing
