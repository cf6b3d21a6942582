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
check "the table is that of the grounds" python3 same.py scale_table.h "$top_srcdir/tools/train/scale_table.h"
check "a ground that is not there" sh -c "! '$top_builddir/study/scaling/scaling' x=none.json 2> complaint &&
    grep -q none.json complaint"
done_testing
