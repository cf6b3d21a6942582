## Benchmarks of decisions: make bench-gain [GAIN_OPTIONS="..."]

EXTRA_PROGRAMS += test/bench/gain test/bench/redecide
test_bench_gain_SOURCES = test/bench/gain.c test/bench/overhead.h test/bench/overhead_stats.c
test_bench_gain_CPPFLAGS = $(mpi_cppflags)
test_bench_gain_LDADD = $(MPI_LIBS) -lm
test_bench_redecide_SOURCES = test/bench/redecide.c test/bench/overhead.h \
    test/bench/overhead_work.c test/bench/overhead_stats.c
test_bench_redecide_CPPFLAGS = $(mpi_cppflags)
test_bench_redecide_LDADD = $(MPI_LIBS) -lm

bench-gain: all test/bench/gain
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/gain.sh $(GAIN_OPTIONS)

.PHONY: bench-gain
