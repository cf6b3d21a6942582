## Tests of the model library: no MPI but for the traced counts.

TESTS += test/unit/models/models.sh

check_PROGRAMS += test/unit/models/test_advice test/unit/models/test_advise test/unit/models/test_allocations \
    test/unit/models/test_atm test/unit/models/test_choose test/unit/models/test_choose_any \
    test/unit/models/test_choose_lustre test/unit/models/test_chunk test/unit/models/test_correction \
    test/unit/models/test_counts test/unit/models/test_counts_any test/unit/models/test_counts_odd \
    test/unit/models/test_decide test/unit/models/test_explain test/unit/models/test_hdf5 \
    test/unit/models/test_hdf5_space test/unit/models/test_hdf5_variants test/unit/models/test_hostlist \
    test/unit/models/test_installed test/unit/models/test_job test/unit/models/test_json test/unit/models/test_life \
    test/unit/models/test_look test/unit/models/test_memory test/unit/models/test_near test/unit/models/test_nearest \
    test/unit/models/test_output test/unit/models/test_pick test/unit/models/test_place \
    test/unit/models/test_predict test/unit/models/test_profile test/unit/models/test_program \
    test/unit/models/test_recent test/unit/models/test_record test/unit/models/test_record_read \
    test/unit/models/test_scale test/unit/models/test_search test/unit/models/test_shares \
    test/unit/models/test_steering test/unit/models/test_surrogate test/unit/models/test_surrogate_mean \
    test/unit/models/test_surrogate_memory test/unit/models/test_surrogate_outside \
    test/unit/models/test_surrogate_parts test/unit/models/test_surrogate_range test/unit/models/test_surrogate_read \
    test/unit/models/test_topology test/unit/models/test_user test/unit/models/test_value \
    test/unit/models/test_where test/unit/models/test_where_slurm test/unit/models/test_write_cache
test_unit_models_test_choose_SOURCES = test/unit/models/test_choose.c test/unit/models/choose_help.c
test_unit_models_test_choose_any_SOURCES = test/unit/models/test_choose_any.c test/unit/models/choose_help.c
test_unit_models_test_choose_lustre_SOURCES = test/unit/models/test_choose_lustre.c test/unit/models/choose_help.c
test_unit_models_test_counts_any_SOURCES = test/unit/models/test_counts_any.c test/unit/models/summarise.c
test_unit_models_test_counts_odd_SOURCES = test/unit/models/test_counts_odd.c test/unit/models/summarise.c
test_unit_models_test_hdf5_SOURCES = test/unit/models/test_hdf5.c test/unit/models/summarise.c

# allocations of the program and the library, but not of shared libraries
wrap_allocations = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=free
test_unit_models_test_allocations_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
test_unit_models_test_memory_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup
test_unit_models_test_record_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup
test_unit_models_test_scale_LDFLAGS = $(wrap_allocations)
test_unit_models_test_surrogate_memory_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc

# --- predicted counts against those of real calls

TESTS += test/unit/models/trace/trace.sh
check_PROGRAMS += test/unit/models/trace/trace
test_unit_models_trace_trace_SOURCES = test/unit/models/summarise.c test/unit/models/trace/trace.c \
    test/unit/models/trace/trace_case.c test/unit/models/trace/trace_compare.c test/unit/models/trace/trace_hooks.c
test_unit_models_trace_trace_LDADD = models/libatm.la $(MPI_LIBS) -lm

TESTS += test/unit/models/trace/hdf5.sh
if HAVE_HDF5
check_PROGRAMS += test/unit/models/trace/hdf5
test_unit_models_trace_hdf5_SOURCES = test/unit/models/trace/hdf5.c test/unit/models/trace/hdf5_case.c \
    test/unit/models/trace/hdf5_hooks.c
test_unit_models_trace_hdf5_CPPFLAGS = $(AM_CPPFLAGS) $(HDF5_CPPFLAGS)
test_unit_models_trace_hdf5_LDADD = models/libatm.la $(HDF5_LIBS) $(MPI_LIBS) -lm
endif HAVE_HDF5

# --- make coverage: lines of models/ that these tests run

coverage_dir = $(abs_builddir)/coverage
coverage: models/profile_generic.c
	@$(SHELL) $(top_srcdir)/test/unit/models/coverage $(abs_top_srcdir) $(coverage_dir) "$(CMOCKA_LIBS) $(JSONC_CFLAGS) $(JSONC_LIBS)"

.PHONY: coverage
