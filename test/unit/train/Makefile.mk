## Tests of training: no MPI.

train_cppflags = $(tool_cppflags) -I$(top_srcdir)/test
train_ldadd = tools/train/libtrain.la $(CMOCKA_LIBS)

TESTS += test/unit/train/train.sh

check_PROGRAMS += test/unit/train/test_trainers
test_unit_train_test_trainers_SOURCES = test/unit/train/test_trainers.c
test_unit_train_test_trainers_CPPFLAGS = $(train_cppflags)
test_unit_train_test_trainers_LDADD = $(train_ldadd)

check_PROGRAMS += test/unit/train/test_caches
test_unit_train_test_caches_SOURCES = test/unit/train/test_caches.c
test_unit_train_test_caches_CPPFLAGS = $(train_cppflags)
test_unit_train_test_caches_LDADD = $(train_ldadd) tools/common/libcommon.la $(GSL_LIBS)

check_PROGRAMS += test/unit/train/test_runs
test_unit_train_test_runs_SOURCES = test/unit/train/test_runs.c
test_unit_train_test_runs_CPPFLAGS = $(train_cppflags)
test_unit_train_test_runs_LDADD = $(train_ldadd)

check_PROGRAMS += test/unit/train/test_outside
test_unit_train_test_outside_SOURCES = test/unit/train/test_outside.c
test_unit_train_test_outside_CPPFLAGS = $(train_cppflags)
test_unit_train_test_outside_LDADD = $(train_ldadd) tools/common/libcommon.la $(GSL_LIBS)

check_PROGRAMS += test/unit/train/test_selection
test_unit_train_test_selection_SOURCES = test/unit/train/test_selection.c test/unit/train/synthetic.c \
    test/unit/train/synthetic.h
test_unit_train_test_selection_CPPFLAGS = $(train_cppflags)
test_unit_train_test_selection_LDADD = $(train_ldadd)
