#!/bin/sh
# Storage state: units.
. "${top_srcdir:?}/test/lib.sh"

export CMOCKA_MESSAGE_OUTPUT=TAP
cd "$scratch" || exit 99
for program in test_trace test_mixture test_features test_classifier test_score test_learn \
    test_loaded test_libraries; do
    check_tap "$program" timeout 600 "$top_builddir/test/unit/state/$program"
done

# The same likelihood as scikit-learn's.
if python3 -c 'import sklearn.mixture' 2> /dev/null; then
    check "scikit-learn's likelihood" timeout 600 python3 "$top_srcdir/test/unit/state/mixture.py" \
        "$top_builddir/test/unit/state/test_mixture"
else
    skip "scikit-learn's likelihood" "needs scikit-learn"
fi
done_testing
