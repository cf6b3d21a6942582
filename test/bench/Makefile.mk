## Benchmarks, not part of the checks: make bench [BENCH_OPTIONS="..."], of decisions: make bench-gain
## [GAIN_OPTIONS="..."], bench-self [SELF_OPTIONS="..."]

EXTRA_PROGRAMS += test/bench/overhead test/bench/gain test/bench/redecide test/bench/self
test_bench_overhead_SOURCES = test/bench/overhead.c test/bench/overhead_work.c test/bench/overhead_stats.c
test_bench_overhead_LDADD = $(mpi_libs)
test_bench_gain_SOURCES = test/bench/gain.c test/bench/overhead_stats.c
test_bench_gain_LDADD = $(mpi_libs)
test_bench_redecide_SOURCES = test/bench/redecide.c test/bench/overhead_work.c test/bench/overhead_stats.c
test_bench_redecide_LDADD = $(mpi_libs)
test_bench_self_SOURCES = test/bench/self.c test/bench/overhead_work.c test/bench/overhead_stats.c
test_bench_self_LDADD = $(mpi_libs)

bench: all test/bench/overhead test/bench/redecide test/grounds/standin/standin.la
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/overhead.sh $(BENCH_OPTIONS)

bench-gain: all test/bench/gain
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/gain.sh $(GAIN_OPTIONS)

bench-self: all test/bench/self test/grounds/standin/standin.la
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/self.sh $(SELF_OPTIONS)

.PHONY: bench bench-gain bench-self

# --- imports into a history: make bench-history [HISTORY_OPTIONS="SPOOLS PAIRS"]

bench-history: all test/unit/history/make_spool
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/history.sh $(HISTORY_OPTIONS)

.PHONY: bench-history

# --- the preload library against the driver built in: make bench-preload [RANKS=N] [ROUNDS=N]

if HAVE_PRELOAD
EXTRA_PROGRAMS += test/bench/preload
test_bench_preload_SOURCES = test/bench/preload.c test/bench/overhead_stats.c
test_bench_preload_LDADD = $(mpi_libs)

RANKS = 2
ROUNDS = 40
bench-preload: all test/bench/preload
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/preload.sh $(RANKS) $(ROUNDS)

# --- its opens against those of Debian's MPICH: make bench-opens [RANKS=N] [ROUNDS=N]

bench-opens: all
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/preload.sh $(RANKS) $(ROUNDS) 15 host

.PHONY: bench-preload bench-opens

# --- what it gains: make bench-preload-gain [PAIRS=N]

bench-preload-gain: all tools/common/libcommon.la test/grounds/standin/standin.la
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/preload-gain.sh $(PAIRS)
.PHONY: bench-preload-gain
endif HAVE_PRELOAD

# --- what it costs to watch calls: make bench-watch [BATCHES=N]

if HAVE_WATCH
EXTRA_PROGRAMS += test/bench/watch
test_bench_watch_LDADD = -ldl -lpthread

bench-watch: watch/libautotune-watch.la test/bench/watch
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/watch.sh $(BATCHES)

.PHONY: bench-watch

# --- signals without a reason and with one, for an hour: make bench-alarms [ALARMS_OPTIONS="SECONDS TIMES"]

bench-alarms: site/collect/autotune-collect watch/libautotune-watch.la test/tools/reason_worker \
    test/grounds/standin/standin.la test/grounds/standin/standin-ost
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/alarms.sh $(ALARMS_OPTIONS)

.PHONY: bench-alarms

# --- activities a second into spools: make bench-spool [SPOOL_OPTIONS="SECONDS JOBS DIR"]

EXTRA_PROGRAMS += test/bench/spooled test/bench/readahead
test_bench_spooled_LDADD = -lpthread
test_bench_readahead_LDADD = -lpthread

bench-spool: watch/libautotune-watch.la test/bench/spooled
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/spooled.sh $(SPOOL_OPTIONS)

# --- programs that are watched: make bench-programs [PROGRAMS_OPTIONS="ROUNDS RANKS"]

if HAVE_HDF5
hdf5_workloads = study/workloads/vpic study/workloads/vorpal study/workloads/gcrm
endif HAVE_HDF5
bench-programs: all watch/libautotune-watch.la study/workloads/pattern $(hdf5_workloads)
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/programs.sh $(PROGRAMS_OPTIONS)

# --- strided reads: make bench-readahead [READAHEAD_OPTIONS="ROUNDS DIR"]

bench-readahead: watch/libautotune-watch.la test/bench/readahead test/watch/dump
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/readahead.sh $(READAHEAD_OPTIONS)

.PHONY: bench-spool bench-programs bench-readahead
endif HAVE_WATCH

# --- what trials teach: make bench-learned [LEARNED_OPTIONS="ROUNDS"]

bench-learned: all study/workloads/pattern test/grounds/standin/standin.la
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/learned.sh $(LEARNED_OPTIONS)

.PHONY: bench-learned

# --- learned hints, then strided reads: make bench-cases

if HAVE_WATCH
bench-cases:
	@$(MAKE) --no-print-directory -k bench-learned bench-readahead
.PHONY: bench-cases
endif HAVE_WATCH

# --- what a state of storage gains: make bench-steer [PAIRS=N]

bench-steer: all study/workloads/pattern test/grounds/standin/standin.la test/grounds/standin/standin-ost
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/steer.sh $(PAIRS)
.PHONY: bench-steer

# --- small calls among large ones: make bench-small [PAIRS=N]

bench-small: all test/driver/small test/grounds/standin/standin.la
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/small.sh $(PAIRS)
.PHONY: bench-small

# --- benchmarks over the number of ranks: make bench-scale [SCALE_OPTIONS="..."]

EXTRA_PROGRAMS += test/bench/scale
test_bench_scale_LDFLAGS = $(wrap_allocations)

bench-scale: all test/bench/overhead test/bench/scale test/grounds/standin/standin.la
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/scale.sh $(SCALE_OPTIONS)

.PHONY: bench-scale

# --- benchmarks: make bench-models

EXTRA_PROGRAMS += test/bench/bench_choose test/bench/bench_place test/bench/bench_profile test/bench/bench_surrogate \
    test/bench/bench_where

bench-models: test/bench/bench_choose test/bench/bench_place test/bench/bench_profile test/bench/bench_surrogate \
    test/bench/bench_where
	@for bench in $^; do ./$$bench || exit 1; done
	@$(SHELL) $(top_srcdir)/test/bench/instructions test/bench

.PHONY: bench-models

# --- benchmarks: make bench-train

EXTRA_PROGRAMS += test/bench/bench_train
test_bench_bench_train_SOURCES = test/bench/bench_train.c test/unit/train/synthetic.c
test_bench_bench_train_LDADD = tune/train/libtrain.la

bench-train: test/bench/bench_train
	@$(SHELL) $(top_srcdir)/test/bench/train.sh $(top_srcdir) $(top_builddir)

.PHONY: bench-train
