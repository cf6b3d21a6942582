#!/bin/sh
# autotune replay: decisions that were recorded, made again; and what it refuses.
. "${top_srcdir:?}/test/lib.sh"

autotune=$top_builddir/tools/autotune/autotune
expected=$top_srcdir/test/tools
cd "$scratch" || exit 99
cp "$expected/decisions" decisions

# prints NAME CODE ARGUMENT...: ends with CODE, with the text in replay-NAME.expected
prints()
{
    _name=$1 _code=$2
    shift 2
    "$autotune" replay "$@" > said
    [ $? -eq "$_code" ] && diff -u "$expected/replay-$_name.expected" said
}

check "--help" prints help 0 --help
check "decisions of every driver" prints all 0 --all decisions
check "in short" prints short 0 decisions
check "how they were made" sh -c '"$1" replay --explain decisions | grep -c "^aggr" | grep -qx 16' sh "$autotune"
check "several files" sh -c '"$1" replay decisions decisions | grep -qx "32 decisions, 32 as before"' sh "$autotune"

# another one now: the rank of an aggregator, a time, a candidate
sed 's/"ranks":\[0,1,2,/"ranks":[0,2,1,/' decisions > moved
check "other aggregators" sh -c '"$1" replay moved > said; [ $? -eq 1 ] && grep -q ": other aggregators$" said' sh "$autotune"
sed '4s/"storage":1,/"storage":1.25,/' decisions > slower
check "another prediction" sh -c '"$1" replay slower > said; [ $? -eq 1 ] && grep -q "^slower:4: .*, now .*: another " said' sh "$autotune"
sed 's/"mode":"automatic","mpich"/"mode":"enable","mpich"/' decisions > enabled
check "another configuration" sh -c '"$1" replay enabled > said; [ $? -eq 1 ] && grep -q ": another configuration$" said' sh "$autotune"

# what a file may lack
sed 1d decisions > less
check "the built-in profile is known" sh -c '"$1" replay less | grep -qx "16 decisions, 16 as before"' sh "$autotune"
grep -v '"romio-autotune-profile"' decisions > none
check "another is not" sh -c '"$1" replay none > said 2> complaint; [ $? -eq 2 ] && grep -q "its profile [0-9a-f]* is not in this file (--profile)$" complaint && grep -qx "3 lines could not be used" said' sh "$autotune"
sed -n 14p decisions > profile.json
check "it is given" sh -c '"$1" replay --profile profile.json none 2> /dev/null | grep -qx "14 decisions, 14 as before"' sh "$autotune"
sed '/decision"/s/,"situation":.*/}/' decisions > old
check "of an older version" sh -c '"$1" replay old | grep -qx "16 of a version that wrote no situations"' sh "$autotune"
printf '{"format": "romio-autotune-layout", "version": 1, "file": "/f", "call": 1}\n' > layout
check "a layout is no decision" sh -c '"$1" replay layout | grep -qx "0 decisions, 0 as before"' sh "$autotune"

# what is no such file
check "no file" ends 2 "a file is needed" "$autotune" replay
check "none of that name" ends 2 "nowhere: No such file" "$autotune" replay nowhere
check "no JSON" ends 2 "Makefile:1: " sh -c 'echo "all:" > Makefile; "$1" replay Makefile' sh "$autotune"
check "another document" ends 2 "is no line of romio_autotune_explain" sh -c 'echo "{\"format\": \"x\"}" > x; "$1" replay x' sh "$autotune"
check "a later version" ends 2 "situation.version" sh -c 'sed -n "2s/\"situation\":{\"version\":1/\"situation\":{\"version\":9/p" decisions > later; "$1" replay later' sh "$autotune"
check "a torn line" ends 2 "torn:2: " sh -c 'head -c 9000 decisions > torn; "$1" replay torn' sh "$autotune"
check "no profile" ends 2 "No such file" "$autotune" replay --profile none.json decisions
done_testing
