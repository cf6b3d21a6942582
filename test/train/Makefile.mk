## Tests of training: no MPI.

train_cppflags = -D_GNU_SOURCE $(AM_CPPFLAGS) -I$(top_srcdir)/models -I$(top_srcdir)/tools/train \
    -I$(top_srcdir)/test/train
train_ldadd = tools/train/libtrain.la $(CMOCKA_LIBS)

TESTS += test/train/train.sh

check_PROGRAMS += test/train/test_trainers
test_train_test_trainers_SOURCES = test/train/test_trainers.c
test_train_test_trainers_CPPFLAGS = $(train_cppflags)
test_train_test_trainers_LDADD = $(train_ldadd)

check_PROGRAMS += test/train/test_baselines
test_train_test_baselines_SOURCES = test/train/test_baselines.c
test_train_test_baselines_CPPFLAGS = $(train_cppflags)
test_train_test_baselines_LDADD = $(train_ldadd)

check_PROGRAMS += test/train/test_selection
test_train_test_selection_SOURCES = test/train/test_selection.c test/train/synthetic.c \
    test/train/synthetic.h
test_train_test_selection_CPPFLAGS = $(train_cppflags)
test_train_test_selection_LDADD = $(train_ldadd)

# --- benchmarks: make bench-train

EXTRA_PROGRAMS += test/train/bench_train
test_train_bench_train_SOURCES = test/train/bench_train.c test/train/synthetic.c \
    test/train/synthetic.h
test_train_bench_train_CPPFLAGS = $(train_cppflags)
test_train_bench_train_LDADD = tools/train/libtrain.la

bench-train: test/train/bench_train
	@$(SHELL) $(top_srcdir)/test/train/bench.sh $(top_srcdir) $(top_builddir)

.PHONY: bench-train
