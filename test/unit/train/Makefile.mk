## Tests of training: no MPI.

TESTS += test/unit/train/train.sh
train_tests = test/unit/train/test_caches test/unit/train/test_outside test/unit/train/test_runs \
    test/unit/train/test_selection test/unit/train/test_trainers
check_PROGRAMS += $(train_tests)
$(train_tests): tune/train/libtrain.la
test/unit/train/%: LDADD = tune/train/libtrain.la tools/common/libcommon.la $(GSL_LIBS) $(CMOCKA_LIBS)
test_unit_train_test_selection_SOURCES = test/unit/train/test_selection.c test/unit/train/synthetic.c
