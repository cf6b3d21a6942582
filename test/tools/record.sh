#!/bin/sh
# autotune explain --record: what it shows of records, and what it refuses.
. "${top_srcdir:?}/test/lib.sh"
. "$top_srcdir/test/tools/browser.sh"

autotune=$top_builddir/tools/autotune/autotune
expected=$top_srcdir/test/tools
samples=$top_srcdir/test/tools/records
cd "$scratch" || exit 99
cat "$samples/version-1.json" "$samples/version-2.json" > records

# prints NAME ARGUMENT...: succeeds with the text in record-NAME.expected
prints()
{
    _name=$1
    shift
    "$autotune" explain --record "$@" > said || return 1
    diff -u "$expected/record-$_name.expected" said
}

# refuses CODE TEXT ARGUMENT...: ends with CODE, prints nothing, complains TEXT
refuses()
{
    _code=$1 _text=$2
    shift 2
    "$autotune" explain "$@" > said 2> complaint
    _rc=$?
    cat said complaint
    [ $_rc -eq "$_code" ] && [ ! -s said ] && grep -qF -e "$_text" complaint
}

sed '2s/"status":"tuned","mode":"automatic"/"status":"default: why","mode":"enable"/' records > changed
cat records changed > many
check "records of all versions, a line for each file" prints summary many
check "each of them" prints all records --all
check "the last one" prints last records --last
check "those of a file" prints file records --file /scratch/f
check "as a document" prints json records --last --json

# Lustre, more than was kept, names that would control a terminal.
sed -e 's/"wrapped":"ufs"/"wrapped":"lustre"/' -e 's/"stripe_count":1/"stripe_count":4/g' \
    -e 's/"stripe_size":0/"stripe_size":1048576/g' -e 's/"dropped":{"decisions":0,"calls":0}/"dropped":{"decisions":2,"calls":1000}/' \
    -e 's,/scratch/out/field.dat,/scratch/\\u001b[31m\\u009bred,' \
    "$samples/version-2.json" > lustre
check "Lustre, and more than was kept" prints lustre lustre
sed -e 's/"decisions":\[.*\],"calls":\[.*\],"dropped"/"decisions":[],"calls":[],"dropped"/' \
    -e 's/"read":{.*//' "$samples/version-2.json" | tr -d '\n' > unused
none='{"calls":0,"seconds":0,"accesses":0,"bytes":0,"storage_seconds":0,"independent_calls":0,"independent_bytes":0,"independent_seconds":0}'
echo "\"read\":$none,\"write\":$none}" >> unused
check "a file that was not used" prints unused unused

# A read under a decision for writes; a decision that no model was asked for.
sed -e 's/{"call":7,"tuned":false/{"call":8,"tuned":false/' -e 's/"automatic":true,"aggregators":2/"automatic":true,"aggregators":0/' \
    -e 's/"storage":0.25},"uncertainty":0.5/"storage":0},"uncertainty":0/' "$samples/version-2.json" > other
check "calls of the other direction" prints other other

# --- torn and bad files

printf '{"format":"romio-autotune-rec' | cat records - > torn
torn()
{
    prints all torn --all 2> note || { cat note; return 1; }
    cat note
    [ "$(cat note)" = "autotune explain: torn:3: is incomplete and was skipped (a job may still be writing it)" ]
}
check "a last line that is being written is skipped" torn
tr -d '\n' < "$samples/version-1.json" > no-newline
check "but not if only its newline is missing" prints file no-newline
(printf '{"format":\n'; cat records) > bad
check "a torn line elsewhere is bad" refuses 2 "bad:1: " --record bad
(cat records; cat "$expected/profile.json") > profile
check "another format" refuses 2 "profile:3: " --record profile
sed 's/"version":2/"version":3/' records > newer
check "a newer version" refuses 2 "newer:2: version: is 3, made by a newer romio-autotune" --record newer
sed '2s/"ranks":8/"ranks":"8"/' records > typed
check "a bad field" refuses 2 "typed:2: ranks: must be" --record typed
: > empty
check "an empty file" refuses 2 "empty: has no records" --record empty
(cat records; echo; cat records) > blank
check "an empty line" refuses 2 "blank:3: " --record blank
head -c 70000 /dev/zero | tr '\0' x > long
check "a line that is too long" refuses 2 "long:1: is longer than any record" --record long
check "a file that is not there" refuses 2 "none: cannot be opened: No such file" --record none
check "a folder" refuses 2 "cannot be read" --record .
check "a file without records" refuses 2 "records: has no record of /x" --record records --file /x

check "records and a job" refuses 2 "it goes without --nodes" --record records --nodes 4
check "parts of --record alone" refuses 2 "--all, --last and --html need --record" --nodes 4 --last
check "two forms" refuses 2 "exclude each other" --record records --json --html out.html

# --- the page

page()
{
    "$autotune" explain --record "$@" --html out.html
}
check "a page" page records
# well_formed DESCRIPTION
well_formed()
{
    if command -v xmllint > /dev/null; then
        sed 's/<!DOCTYPE html>//' out.html > out.xml
        check "$1" xmllint --noout out.xml
    else
        skip "$1" "no xmllint"
    fi
}
well_formed "is well-formed"
has()
{
    [ "$(grep -cF -e "$1" out.html)" -ge "${2:-1}" ]
}
check "names the files" has '<h2>/scratch/out/field.dat</h2>'
check "predicted against measured parts" has '<title>Predicted against measured parts</title>'
check "the timeline" has '<title>Timeline of collective calls</title>'
check "a point for each call and part" sh -c '[ "$(grep -o "write, call [1-6] at" out.html | wc -l)" -eq 24 ]'
check "why" has 'predicted 1.125 times as fast as the default'
check "needs nothing from elsewhere" sh -c '! grep -E "https?://|<script|<link|src=" out.html'
rendered out.html 2 10
sed 's,"/scratch/f","<script>alert(1)</script>",' records > script
check "a hostile name" page script
check "does no harm" has '&lt;script&gt;alert(1)'
well_formed "is well-formed then"
cp out.html before.html
check "a bad file" refuses 2 "bad:1: " --record bad --html out.html
check "leaves the old page" cmp before.html out.html
check "a page that cannot be written" refuses 1 "/no/such/folder/x.html" --record records --html /no/such/folder/x.html
done_testing
