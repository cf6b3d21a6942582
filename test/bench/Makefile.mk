## Benchmarks of decisions: make bench-gain [GAIN_OPTIONS="..."], bench-self [SELF_OPTIONS="..."]

EXTRA_PROGRAMS += test/bench/gain test/bench/redecide test/bench/self
test_bench_gain_SOURCES = test/bench/gain.c test/bench/overhead.h test/bench/overhead_stats.c
test_bench_gain_CPPFLAGS = $(mpi_cppflags)
test_bench_gain_LDADD = $(MPI_LIBS) -lm
test_bench_redecide_SOURCES = test/bench/redecide.c test/bench/overhead.h \
    test/bench/overhead_work.c test/bench/overhead_stats.c
test_bench_redecide_CPPFLAGS = $(mpi_cppflags)
test_bench_redecide_LDADD = $(MPI_LIBS) -lm
test_bench_self_SOURCES = test/bench/self.c test/bench/overhead.h \
    test/bench/overhead_work.c test/bench/overhead_stats.c
test_bench_self_CPPFLAGS = $(mpi_cppflags)
test_bench_self_LDADD = $(MPI_LIBS) -lm

bench-gain: all test/bench/gain
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/gain.sh $(GAIN_OPTIONS)

bench-self: all test/bench/self test/standin/standin.la
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/self.sh $(SELF_OPTIONS)

.PHONY: bench-gain bench-self
