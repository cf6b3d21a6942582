## Tests of training: no MPI.

train_cppflags = -D_GNU_SOURCE $(AM_CPPFLAGS) -I$(top_srcdir)/models -I$(top_srcdir)/tools/train \
    -I$(top_srcdir)/test/train
train_ldadd = tools/train/libtrain.la $(CMOCKA_LIBS)

# --- benchmarks: make bench-train

EXTRA_PROGRAMS += test/train/bench_train
test_train_bench_train_SOURCES = test/train/bench_train.c test/train/synthetic.c \
    test/train/synthetic.h
test_train_bench_train_CPPFLAGS = $(train_cppflags)
test_train_bench_train_LDADD = tools/train/libtrain.la
