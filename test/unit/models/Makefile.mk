## Tests of the model library: no MPI but for the traced counts.

model_cppflags = -D_GNU_SOURCE $(AM_CPPFLAGS) -I$(top_srcdir)/models -I$(top_srcdir)/tools -I$(top_srcdir)/test
model_ldadd = models/libatm.la $(CMOCKA_LIBS) -lm

TESTS += test/unit/models/models.sh

check_PROGRAMS += test/unit/models/test_allocations
test_unit_models_test_allocations_SOURCES = test/unit/models/test_allocations.c
test_unit_models_test_allocations_CPPFLAGS = $(model_cppflags)
test_unit_models_test_allocations_LDADD = $(model_ldadd)
test_unit_models_test_allocations_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc

check_PROGRAMS += test/unit/models/test_advice
test_unit_models_test_advice_SOURCES = test/unit/models/test_advice.c
test_unit_models_test_advice_CPPFLAGS = $(model_cppflags)
test_unit_models_test_advice_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_chunk
test_unit_models_test_chunk_SOURCES = test/unit/models/test_chunk.c
test_unit_models_test_chunk_CPPFLAGS = $(model_cppflags)
test_unit_models_test_chunk_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_advise
test_unit_models_test_advise_SOURCES = test/unit/models/test_advise.c test/unit/models/choose_help.h
test_unit_models_test_advise_CPPFLAGS = $(model_cppflags)
test_unit_models_test_advise_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_job
test_unit_models_test_job_SOURCES = test/unit/models/test_job.c
test_unit_models_test_job_CPPFLAGS = $(model_cppflags)
test_unit_models_test_job_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_nearest
test_unit_models_test_nearest_SOURCES = test/unit/models/test_nearest.c
test_unit_models_test_nearest_CPPFLAGS = $(model_cppflags)
test_unit_models_test_nearest_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_user
test_unit_models_test_user_SOURCES = test/unit/models/test_user.c
test_unit_models_test_user_CPPFLAGS = $(model_cppflags)
test_unit_models_test_user_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_program
test_unit_models_test_program_SOURCES = test/unit/models/test_program.c
test_unit_models_test_program_CPPFLAGS = $(model_cppflags)
test_unit_models_test_program_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_correction
test_unit_models_test_correction_SOURCES = test/unit/models/test_correction.c
test_unit_models_test_correction_CPPFLAGS = $(model_cppflags)
test_unit_models_test_correction_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_pick
test_unit_models_test_pick_SOURCES = test/unit/models/test_pick.c
test_unit_models_test_pick_CPPFLAGS = $(model_cppflags)
test_unit_models_test_pick_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_shares
test_unit_models_test_shares_SOURCES = test/unit/models/test_shares.c
test_unit_models_test_shares_CPPFLAGS = $(model_cppflags)
test_unit_models_test_shares_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_steering
test_unit_models_test_steering_SOURCES = test/unit/models/test_steering.c
test_unit_models_test_steering_CPPFLAGS = $(model_cppflags)
test_unit_models_test_steering_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_atm
test_unit_models_test_atm_SOURCES = test/unit/models/test_atm.c
test_unit_models_test_atm_CPPFLAGS = $(model_cppflags)
test_unit_models_test_atm_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_choose
test_unit_models_test_choose_SOURCES = test/unit/models/test_choose.c test/unit/models/choose_help.c
test_unit_models_test_choose_CPPFLAGS = $(model_cppflags)
test_unit_models_test_choose_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_choose_any
test_unit_models_test_choose_any_SOURCES = test/unit/models/test_choose_any.c test/unit/models/choose_help.c
test_unit_models_test_choose_any_CPPFLAGS = $(model_cppflags)
test_unit_models_test_choose_any_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_choose_lustre
test_unit_models_test_choose_lustre_SOURCES = test/unit/models/test_choose_lustre.c test/unit/models/choose_help.c
test_unit_models_test_choose_lustre_CPPFLAGS = $(model_cppflags)
test_unit_models_test_choose_lustre_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_counts
test_unit_models_test_counts_SOURCES = test/unit/models/test_counts.c
test_unit_models_test_counts_CPPFLAGS = $(model_cppflags)
test_unit_models_test_counts_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_counts_any
test_unit_models_test_counts_any_SOURCES = test/unit/models/test_counts_any.c \
    test/unit/models/summarise.c test/unit/models/summarise.h
test_unit_models_test_counts_any_CPPFLAGS = $(model_cppflags)
test_unit_models_test_counts_any_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_counts_odd
test_unit_models_test_counts_odd_SOURCES = test/unit/models/test_counts_odd.c \
    test/unit/models/summarise.c test/unit/models/summarise.h
test_unit_models_test_counts_odd_CPPFLAGS = $(model_cppflags)
test_unit_models_test_counts_odd_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_decide
test_unit_models_test_decide_SOURCES = test/unit/models/test_decide.c test/unit/models/choose_help.h
test_unit_models_test_decide_CPPFLAGS = $(model_cppflags)
test_unit_models_test_decide_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_look
test_unit_models_test_look_SOURCES = test/unit/models/test_look.c test/unit/models/choose_help.h
test_unit_models_test_look_CPPFLAGS = $(model_cppflags)
test_unit_models_test_look_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_explain
test_unit_models_test_explain_SOURCES = test/unit/models/test_explain.c
test_unit_models_test_explain_CPPFLAGS = $(model_cppflags)
test_unit_models_test_explain_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_hdf5
test_unit_models_test_hdf5_SOURCES = test/unit/models/test_hdf5.c \
    test/unit/models/summarise.c test/unit/models/summarise.h
test_unit_models_test_hdf5_CPPFLAGS = $(model_cppflags)
test_unit_models_test_hdf5_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_hdf5_space
test_unit_models_test_hdf5_space_SOURCES = test/unit/models/test_hdf5_space.c
test_unit_models_test_hdf5_space_CPPFLAGS = $(model_cppflags)
test_unit_models_test_hdf5_space_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_hdf5_variants
test_unit_models_test_hdf5_variants_SOURCES = test/unit/models/test_hdf5_variants.c test/unit/models/choose_help.h
test_unit_models_test_hdf5_variants_CPPFLAGS = $(model_cppflags)
test_unit_models_test_hdf5_variants_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_installed
test_unit_models_test_installed_SOURCES = test/unit/models/test_installed.c
test_unit_models_test_installed_CPPFLAGS = $(model_cppflags)
test_unit_models_test_installed_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_json
test_unit_models_test_json_SOURCES = test/unit/models/test_json.c
test_unit_models_test_json_CPPFLAGS = $(model_cppflags)
test_unit_models_test_json_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_memory
test_unit_models_test_memory_SOURCES = test/unit/models/test_memory.c test/unit/models/memory_help.h
test_unit_models_test_memory_CPPFLAGS = $(model_cppflags)
test_unit_models_test_memory_LDADD = $(model_ldadd)
test_unit_models_test_memory_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup

check_PROGRAMS += test/unit/models/test_output
test_unit_models_test_output_SOURCES = test/unit/models/test_output.c
test_unit_models_test_output_CPPFLAGS = $(model_cppflags)
test_unit_models_test_output_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_life
test_unit_models_test_life_SOURCES = test/unit/models/test_life.c
test_unit_models_test_life_CPPFLAGS = $(model_cppflags)
test_unit_models_test_life_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_near
test_unit_models_test_near_SOURCES = test/unit/models/test_near.c
test_unit_models_test_near_CPPFLAGS = $(model_cppflags)
test_unit_models_test_near_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_place
test_unit_models_test_place_SOURCES = test/unit/models/test_place.c
test_unit_models_test_place_CPPFLAGS = $(model_cppflags)
test_unit_models_test_place_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_predict
test_unit_models_test_predict_SOURCES = test/unit/models/test_predict.c
test_unit_models_test_predict_CPPFLAGS = $(model_cppflags)
test_unit_models_test_predict_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_profile
test_unit_models_test_profile_SOURCES = test/unit/models/test_profile.c
test_unit_models_test_profile_CPPFLAGS = $(model_cppflags)
test_unit_models_test_profile_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_recent
test_unit_models_test_recent_SOURCES = test/unit/models/test_recent.c
test_unit_models_test_recent_CPPFLAGS = $(model_cppflags)
test_unit_models_test_recent_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_record
test_unit_models_test_record_SOURCES = test/unit/models/test_record.c test/unit/models/record_help.h test/unit/models/memory_help.h
test_unit_models_test_record_CPPFLAGS = $(model_cppflags)
test_unit_models_test_record_LDADD = $(model_ldadd)
test_unit_models_test_record_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup

check_PROGRAMS += test/unit/models/test_record_read
test_unit_models_test_record_read_SOURCES = test/unit/models/test_record_read.c test/unit/models/record_help.h
test_unit_models_test_record_read_CPPFLAGS = $(model_cppflags)
test_unit_models_test_record_read_LDADD = $(model_ldadd)

# every allocation of the program and the library, but not of shared libraries
wrap_allocations = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=free

check_PROGRAMS += test/unit/models/test_scale
test_unit_models_test_scale_SOURCES = test/unit/models/test_scale.c test/unit/models/scale_help.h
test_unit_models_test_scale_CPPFLAGS = $(model_cppflags)
test_unit_models_test_scale_LDADD = $(model_ldadd)
test_unit_models_test_scale_LDFLAGS = $(wrap_allocations)

check_PROGRAMS += test/unit/models/test_search
test_unit_models_test_search_SOURCES = test/unit/models/test_search.c
test_unit_models_test_search_CPPFLAGS = $(model_cppflags)
test_unit_models_test_search_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_surrogate
test_unit_models_test_surrogate_SOURCES = test/unit/models/test_surrogate.c
test_unit_models_test_surrogate_CPPFLAGS = $(model_cppflags)
test_unit_models_test_surrogate_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_surrogate_mean
test_unit_models_test_surrogate_mean_SOURCES = test/unit/models/test_surrogate_mean.c test/unit/models/surrogate_help.h
test_unit_models_test_surrogate_mean_CPPFLAGS = $(model_cppflags)
test_unit_models_test_surrogate_mean_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_surrogate_outside
test_unit_models_test_surrogate_outside_SOURCES = test/unit/models/test_surrogate_outside.c test/unit/models/surrogate_help.h
test_unit_models_test_surrogate_outside_CPPFLAGS = $(model_cppflags)
test_unit_models_test_surrogate_outside_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_surrogate_memory
test_unit_models_test_surrogate_memory_SOURCES = test/unit/models/test_surrogate_memory.c
test_unit_models_test_surrogate_memory_CPPFLAGS = $(model_cppflags)
test_unit_models_test_surrogate_memory_LDADD = $(model_ldadd)
test_unit_models_test_surrogate_memory_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc

check_PROGRAMS += test/unit/models/test_surrogate_parts
test_unit_models_test_surrogate_parts_SOURCES = test/unit/models/test_surrogate_parts.c
test_unit_models_test_surrogate_parts_CPPFLAGS = $(model_cppflags)
test_unit_models_test_surrogate_parts_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_surrogate_range
test_unit_models_test_surrogate_range_SOURCES = test/unit/models/test_surrogate_range.c
test_unit_models_test_surrogate_range_CPPFLAGS = $(model_cppflags)
test_unit_models_test_surrogate_range_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_surrogate_read
test_unit_models_test_surrogate_read_SOURCES = test/unit/models/test_surrogate_read.c
test_unit_models_test_surrogate_read_CPPFLAGS = $(model_cppflags)
test_unit_models_test_surrogate_read_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_topology
test_unit_models_test_topology_SOURCES = test/unit/models/test_topology.c
test_unit_models_test_topology_CPPFLAGS = $(model_cppflags)
test_unit_models_test_topology_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_value
test_unit_models_test_value_SOURCES = test/unit/models/test_value.c
test_unit_models_test_value_CPPFLAGS = $(model_cppflags)
test_unit_models_test_value_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_write_cache
test_unit_models_test_write_cache_SOURCES = test/unit/models/test_write_cache.c
test_unit_models_test_write_cache_CPPFLAGS = $(model_cppflags)
test_unit_models_test_write_cache_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_where
test_unit_models_test_where_SOURCES = test/unit/models/test_where.c test/unit/models/where_help.h
test_unit_models_test_where_CPPFLAGS = $(model_cppflags)
test_unit_models_test_where_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_where_slurm
test_unit_models_test_where_slurm_SOURCES = test/unit/models/test_where_slurm.c test/unit/models/where_help.h
test_unit_models_test_where_slurm_CPPFLAGS = $(model_cppflags)
test_unit_models_test_where_slurm_LDADD = $(model_ldadd)

check_PROGRAMS += test/unit/models/test_hostlist
test_unit_models_test_hostlist_SOURCES = test/unit/models/test_hostlist.c test/unit/models/where_help.h
test_unit_models_test_hostlist_CPPFLAGS = $(model_cppflags)
test_unit_models_test_hostlist_LDADD = $(model_ldadd)

# --- predicted counts against those of real calls

TESTS += test/unit/models/trace/trace.sh
check_PROGRAMS += test/unit/models/trace/trace
test_unit_models_trace_trace_SOURCES = \
    test/unit/models/summarise.c \
    test/unit/models/summarise.h \
    test/unit/models/trace/trace.c \
    test/unit/models/trace/trace.h \
    test/unit/models/trace/trace_case.c \
    test/unit/models/trace/trace_compare.c \
    test/unit/models/trace/trace_hooks.c
test_unit_models_trace_trace_CPPFLAGS = $(mpi_cppflags) -I$(top_srcdir)/models -I$(top_srcdir)/tools
test_unit_models_trace_trace_LDADD = models/libatm.la $(MPI_LIBS) -lm

TESTS += test/unit/models/trace/hdf5.sh
if HAVE_HDF5
check_PROGRAMS += test/unit/models/trace/hdf5
test_unit_models_trace_hdf5_SOURCES = \
    test/unit/models/trace/hdf5.c \
    test/unit/models/trace/hdf5_case.c \
    test/unit/models/trace/hdf5_hooks.c \
    test/unit/models/trace/hdf5_trace.h
test_unit_models_trace_hdf5_CPPFLAGS = -D_GNU_SOURCE $(mpi_cppflags) $(HDF5_CPPFLAGS) -I$(top_srcdir)/models -I$(top_srcdir)/tools
test_unit_models_trace_hdf5_LDADD = models/libatm.la $(HDF5_LIBS) $(MPI_LIBS) -lm
endif HAVE_HDF5

# --- make coverage: lines of models/ that these tests run

coverage_dir = $(abs_builddir)/coverage
coverage: models/profile_generic.c
	@$(SHELL) $(top_srcdir)/test/unit/models/coverage $(abs_top_srcdir) $(coverage_dir) "$(CMOCKA_LIBS) $(JSONC_CFLAGS) $(JSONC_LIBS)"

.PHONY: coverage
