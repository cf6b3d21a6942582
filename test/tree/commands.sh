#!/bin/sh
# Documents name what there is: commands and options of examples, variables, hints.
. "${top_srcdir:?}/test/lib.sh"

cd "$top_srcdir" || exit 99

# examples FILE...: "FILE LINE COMMAND OPTION..." of every command of ours in a line of code, a code span or
# a man page, without values of options and without the command that it starts
examples()
{
    awk '
        function example(text,    word, n, i, found) {
            n = split(text, word, /[ \t]+/)
            for (i = 1; i <= n; i++) {
                sub(/.*\//, "", word[i])
                if (found == "" && word[i] == "autotune" && word[i + 1] ~ /^[a-z][a-z-]*$/)
                    found = "autotune-" word[++i]
                else if (found == "" && word[i] ~ /^(autotune-[a-z]+|quickstart)$/)
                    found = word[i]
                else if (word[i] == "--" || word[i] ~ /^[#;|&>]/)
                    break
                else if (found != "" && match(word[i], /^--[a-z][a-z-]*/))
                    found = found " " substr(word[i], 1, RLENGTH)
            }
            if (found != "")
                print FILENAME, FNR, found
        }
        {
            gsub(/\\-/, "-")
            sub(/\\$/, "") # goes on in the next line, which has no command
        }
        FILENAME ~ /\.[17]$/ && /^(autotune|mpiexec|sbatch) / || /^    / { example($0); next }
        {
            n = split($0, span, "`")
            for (k = 2; k <= n; k += 2)
                example(span[k])
        }' "$@"
}

# known COMMAND [OPTION...]: its page has them all.  Options of a job are on the page of explain.
known()
{
    case $1 in
        quickstart) _page=quickstart ;;
        autotune-hints) _page="doc/$1.1 doc/autotune-explain.1" ;;
        autotune-evaluate) _page=study/evaluate/$1.1 ;;
        *) _page=doc/$1.1 ;;
    esac
    [ -f "${_page%% *}" ] || { echo "there is no $1"; return 1; }
    shift
    for _option; do
        # shellcheck disable=SC2086 # two pages
        cat $_page | sed 's/\\-/-/g; s/\\f[A-Z]//g' | grep -qe "$_option\([^a-z-]\|\$\)" || { echo "no $_option in $_page"; return 1; }
    done
}
all_known()
{
    while read -r _file _line _rest; do
        # shellcheck disable=SC2086 # a command and its options
        known $_rest > "$scratch/unknown.one" || sed "s,^,$_file:$_line: ," "$scratch/unknown.one"
    done < "$1" > "$scratch/unknown"
    cat "$scratch/unknown"
    [ ! -s "$scratch/unknown" ]
}

# --- mistakes are found

mkdir "$scratch/made"
# shellcheck disable=SC2016 # backquotes of a document
printf 'Type `autotune run -- app --nonsense`, or\n\n    mpiexec -n 2 bin/autotune-calibrate --dir /x --out=y # --nonsense\n' > "$scratch/made/good.md"
printf '    autotune run --nonsense\n    autotune nonsense\n' > "$scratch/made/bad.md"
examples "$scratch/made/good.md" > "$scratch/good"
check "commands of a made-up page are seen" test "$(cut -d' ' -f2- "$scratch/good" | tr '\n' ';')" = \
    "1 autotune-run;3 autotune-calibrate --dir --out;"
check "all of them are known" all_known "$scratch/good"
examples "$scratch/made/bad.md" > "$scratch/bad"
two_mistakes()
{
    ! all_known "$scratch/bad" && [ "$(wc -l < "$scratch/unknown")" -eq 2 ]
}
check "an unknown option and an unknown command" two_mistakes

# --- ours

documents=$(tools/manifest | grep -E '^(README|CONTRIBUTING)\.md$|^(doc/guide|packaging|preload|watch|tools|test)/.*\.md$|^doc/.*\.[17]$')
# shellcheck disable=SC2086 # names without blanks
examples $documents > "$scratch/examples"
check "README.md has examples" grep -q '^README\.md [0-9]* quickstart --check$' "$scratch/examples"
check "commands and options of examples" all_known "$scratch/examples"

sed -n 's/^    {"\([a-z-]*\)", ".*", [A-Za-z_]*},$/\1/p' tools/autotune/autotune.c > "$scratch/verbs"
check "autotune has verbs" grep -qx run "$scratch/verbs"
pages()
{
    while read -r _verb; do
        [ -f "doc/autotune-$_verb.1" ] || { echo "doc/autotune-$_verb.1 is missing"; return 1; }
        grep -q "^\.BR autotune-$_verb (1)" doc/autotune.1 || { echo "doc/autotune.1 lacks $_verb"; return 1; }
    done < "$scratch/verbs"
}
check "every verb has a page, which autotune.1 names" pages

# shellcheck disable=SC2086
sed 's/\\-/-/g' $documents | grep -oE 'romio_autotune_[a-z]+(_[a-z]+)*|ROMIO_AUTOTUNE_[A-Z]+(_[A-Z]+)*' |
    tr '[:upper:]' '[:lower:]' | sort -u > "$scratch/named"
tools/manifest | grep -vE '\.md$|^(doc|study|test)/' | xargs grep -hoiE 'romio_autotune_[a-z]+(_[a-z]+)*' |
    tr '[:upper:]' '[:lower:]' | sort -u > "$scratch/there"
named()
{
    comm -23 "$scratch/named" "$scratch/there" > "$scratch/strange"
    cat "$scratch/strange"
    grep -qx romio_autotune_profile "$scratch/named" && [ ! -s "$scratch/strange" ]
}
check "hints and variables of documents are in the sources" named
done_testing
