#!/bin/sh
# How well costs of one operation say those of another: the table that training uses is what the
# grounds that are kept say.
. "${top_srcdir:?}/test/lib.sh"

cd "$scratch" || exit 99
grounds=$(sed -n '/^SCALING_GROUNDS/,/[^\\]$/p' "$top_srcdir/study/scaling/Makefile.mk" |
    tr -d '\\' | sed 's/^SCALING_GROUNDS = //' |
    xargs -n 1 | sed "s:=\(.*\):=$top_srcdir/\1/points.json:")
# shellcheck disable=SC2086 # a word for each ground
"$top_builddir/study/scaling/scaling" $grounds > scale_table.h
# the last digits are up to the processor
cat > same.py << 'END'
import re, sys
one, other = (open(name).read() for name in sys.argv[1:])
number = r"-?\d+\.\d+"
assert re.sub(number, "x", one) == re.sub(number, "x", other)
for a, b in zip(re.findall(number, one), re.findall(number, other)):
    assert abs(float(a) - float(b)) < 0.002, (a, b)
END
check "the table is that of the grounds" python3 same.py scale_table.h "$top_srcdir/tune/train/scale_table.h"
check "a ground that is not there" sh -c "! '$top_builddir/study/scaling/scaling' x=none.json 2> complaint &&
    grep -q none.json complaint"

# What errors outside are: of one ground, as training takes its time, and which model wins by a hair
# is up to the processor.
cat > alike.py << 'END'
import re, sys
rows = [re.findall(r"[A-Z_]{4,}|\d+\.\d+", line) for line in open(sys.argv[1]) if line.startswith("    {")]
table = [re.findall(r"[A-Z_]{4,}|\d+\.\d+", line) for line in open(sys.argv[2]) if line.startswith("    {")]
assert rows
for row, known in zip(rows, table[-len(rows):]):
    assert row[0] == known[0], (row, known)
    for a, b in zip(map(float, row[1:4]), map(float, known[1:4])):
        assert (a > 0) == (b > 0) and (a == 0 or 0.5 < a / b < 2), (row, known)
END
"$top_builddir/study/scaling/leave_out" \
    "lustre=$top_srcdir/study/lustre/data/slower-osts/points.json" > outside_table.h
check "errors outside are those of the ground" python3 alike.py outside_table.h \
    "$top_srcdir/tune/train/outside_table.h"
check "errors outside of a ground that is not there" sh -c \
    "! '$top_builddir/study/scaling/leave_out' x=none.json > out 2> complaint && grep -q none.json complaint"
done_testing
