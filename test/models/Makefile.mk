## Tests of the model library: no MPI but for the traced counts.

model_cppflags = -D_GNU_SOURCE $(AM_CPPFLAGS) -I$(top_srcdir)/models -I$(top_srcdir)/test/models
model_ldadd = models/libatm.la $(CMOCKA_LIBS) -lm

TESTS += test/models/models.sh test/tools/autotune.sh

check_PROGRAMS += test/models/test_allocations
test_models_test_allocations_SOURCES = test/models/test_allocations.c
test_models_test_allocations_CPPFLAGS = $(model_cppflags)
test_models_test_allocations_LDADD = $(model_ldadd)
test_models_test_allocations_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

check_PROGRAMS += test/models/test_atm
test_models_test_atm_SOURCES = test/models/test_atm.c
test_models_test_atm_CPPFLAGS = $(model_cppflags)
test_models_test_atm_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_choose
test_models_test_choose_SOURCES = test/models/test_choose.c
test_models_test_choose_CPPFLAGS = $(model_cppflags)
test_models_test_choose_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_counts
test_models_test_counts_SOURCES = test/models/test_counts.c
test_models_test_counts_CPPFLAGS = $(model_cppflags)
test_models_test_counts_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_counts_any
test_models_test_counts_any_SOURCES = test/models/test_counts_any.c
test_models_test_counts_any_CPPFLAGS = $(model_cppflags)
test_models_test_counts_any_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_explain
test_models_test_explain_SOURCES = test/models/test_explain.c
test_models_test_explain_CPPFLAGS = $(model_cppflags)
test_models_test_explain_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_json
test_models_test_json_SOURCES = test/models/test_json.c
test_models_test_json_CPPFLAGS = $(model_cppflags)
test_models_test_json_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_memory
test_models_test_memory_SOURCES = test/models/test_memory.c
test_models_test_memory_CPPFLAGS = $(model_cppflags)
test_models_test_memory_LDADD = $(model_ldadd)
test_models_test_memory_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup

check_PROGRAMS += test/models/test_output
test_models_test_output_SOURCES = test/models/test_output.c
test_models_test_output_CPPFLAGS = $(model_cppflags)
test_models_test_output_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_place
test_models_test_place_SOURCES = test/models/test_place.c
test_models_test_place_CPPFLAGS = $(model_cppflags)
test_models_test_place_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_predict
test_models_test_predict_SOURCES = test/models/test_predict.c
test_models_test_predict_CPPFLAGS = $(model_cppflags)
test_models_test_predict_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_profile
test_models_test_profile_SOURCES = test/models/test_profile.c
test_models_test_profile_CPPFLAGS = $(model_cppflags)
test_models_test_profile_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_record
test_models_test_record_SOURCES = test/models/test_record.c test/models/record_help.h
test_models_test_record_CPPFLAGS = $(model_cppflags)
test_models_test_record_LDADD = $(model_ldadd)
test_models_test_record_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

check_PROGRAMS += test/models/test_record_read
test_models_test_record_read_SOURCES = test/models/test_record_read.c test/models/record_help.h
test_models_test_record_read_CPPFLAGS = $(model_cppflags)
test_models_test_record_read_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_search
test_models_test_search_SOURCES = test/models/test_search.c
test_models_test_search_CPPFLAGS = $(model_cppflags)
test_models_test_search_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_surrogate
test_models_test_surrogate_SOURCES = test/models/test_surrogate.c
test_models_test_surrogate_CPPFLAGS = $(model_cppflags)
test_models_test_surrogate_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_surrogate_memory
test_models_test_surrogate_memory_SOURCES = test/models/test_surrogate_memory.c
test_models_test_surrogate_memory_CPPFLAGS = $(model_cppflags)
test_models_test_surrogate_memory_LDADD = $(model_ldadd)
test_models_test_surrogate_memory_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc

check_PROGRAMS += test/models/test_surrogate_parts
test_models_test_surrogate_parts_SOURCES = test/models/test_surrogate_parts.c
test_models_test_surrogate_parts_CPPFLAGS = $(model_cppflags)
test_models_test_surrogate_parts_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_surrogate_range
test_models_test_surrogate_range_SOURCES = test/models/test_surrogate_range.c
test_models_test_surrogate_range_CPPFLAGS = $(model_cppflags)
test_models_test_surrogate_range_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_surrogate_read
test_models_test_surrogate_read_SOURCES = test/models/test_surrogate_read.c
test_models_test_surrogate_read_CPPFLAGS = $(model_cppflags)
test_models_test_surrogate_read_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_topology
test_models_test_topology_SOURCES = test/models/test_topology.c
test_models_test_topology_CPPFLAGS = $(model_cppflags)
test_models_test_topology_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_value
test_models_test_value_SOURCES = test/models/test_value.c
test_models_test_value_CPPFLAGS = $(model_cppflags)
test_models_test_value_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_where
test_models_test_where_SOURCES = test/models/test_where.c test/models/where_help.h
test_models_test_where_CPPFLAGS = $(model_cppflags)
test_models_test_where_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_where_slurm
test_models_test_where_slurm_SOURCES = test/models/test_where_slurm.c test/models/where_help.h
test_models_test_where_slurm_CPPFLAGS = $(model_cppflags)
test_models_test_where_slurm_LDADD = $(model_ldadd)

check_PROGRAMS += test/models/test_hostlist
test_models_test_hostlist_SOURCES = test/models/test_hostlist.c test/models/where_help.h
test_models_test_hostlist_CPPFLAGS = $(model_cppflags)
test_models_test_hostlist_LDADD = $(model_ldadd)

# --- predicted counts against those of real calls

TESTS += test/models/trace/trace.sh
check_PROGRAMS += test/models/trace/trace
test_models_trace_trace_SOURCES = \
    test/models/trace/trace.c \
    test/models/trace/trace.h \
    test/models/trace/trace_case.c \
    test/models/trace/trace_compare.c \
    test/models/trace/trace_hooks.c
test_models_trace_trace_CPPFLAGS = $(mpi_cppflags) -I$(top_srcdir)/models
test_models_trace_trace_LDADD = models/libatm.la $(MPI_LIBS) -lm

# --- benchmarks: make bench-models

EXTRA_PROGRAMS += test/models/bench_choose test/models/bench_place test/models/bench_profile test/models/bench_surrogate \
    test/models/bench_where
test_models_bench_choose_SOURCES = test/models/bench_choose.c
test_models_bench_choose_CPPFLAGS = $(model_cppflags)
test_models_bench_choose_LDADD = models/libatm.la -lm
test_models_bench_place_SOURCES = test/models/bench_place.c
test_models_bench_place_CPPFLAGS = $(model_cppflags)
test_models_bench_place_LDADD = models/libatm.la -lm
test_models_bench_profile_SOURCES = test/models/bench_profile.c
test_models_bench_profile_CPPFLAGS = $(model_cppflags)
test_models_bench_profile_LDADD = models/libatm.la -lm
test_models_bench_surrogate_SOURCES = test/models/bench_surrogate.c
test_models_bench_surrogate_CPPFLAGS = $(model_cppflags)
test_models_bench_surrogate_LDADD = models/libatm.la -lm
test_models_bench_where_SOURCES = test/models/bench_where.c
test_models_bench_where_CPPFLAGS = $(model_cppflags)
test_models_bench_where_LDADD = models/libatm.la -lm

# --- make coverage: lines of models/ that these tests run; make fuzz

coverage_dir = $(abs_builddir)/coverage
coverage: models/profile_generic.c
	@$(SHELL) $(top_srcdir)/test/models/coverage $(abs_top_srcdir) $(coverage_dir) "$(CMOCKA_LIBS) $(JSONC_CFLAGS) $(JSONC_LIBS)"

FUZZ_SECONDS = 300
fuzz: models/profile_generic.c
	@$(SHELL) $(top_srcdir)/test/models/fuzz $(abs_top_srcdir) $(abs_builddir)/fuzz "$(JSONC_CFLAGS) $(JSONC_LIBS)" $(FUZZ_SECONDS)

bench-models: test/models/bench_choose test/models/bench_place test/models/bench_profile test/models/bench_surrogate \
    test/models/bench_where
	@for bench in $^; do ./$$bench || exit 1; done
	@$(SHELL) $(top_srcdir)/test/models/instructions test/models

.PHONY: bench-models coverage fuzz
