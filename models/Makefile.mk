## The model library.

noinst_LTLIBRARIES += models/libatm.la
models_libatm_la_SOURCES = \
    models/atm.h \
    models/atm_asked.h \
    models/atm_choose.h \
    models/atm_counts.h \
    models/atm_explain.h \
    models/atm_hostlist.h \
    models/atm_locale.h \
    models/atm_output.h \
    models/atm_output_send.h \
    models/atm_pipeline.h \
    models/atm_place.h \
    models/atm_predict.h \
    models/atm_profile.h \
    models/atm_profile_generic.h \
    models/atm_record.h \
    models/atm_search.h \
    models/atm_surrogate.h \
    models/atm_topology.h \
    models/atm_value.h \
    models/atm_value_scan.h \
    models/atm_value_tree.h \
    models/atm_where.h \
    models/atm_words.h \
    models/candidates.h \
    models/counts.h \
    models/place.h \
    models/record.h \
    models/sur.h \
    models/sur_grid.h \
    models/sur_inside.h \
    models/sur_math.h \
    models/sur_near.h \
    models/sur_rules.h \
    models/topology.h \
    models/where.h \
    models/atm.c \
    models/atm_asked.c \
    models/atm_choose.c \
    models/atm_counts.c \
    models/atm_json.c \
    models/atm_output.c \
    models/atm_output_send.c \
    models/atm_pipeline.c \
    models/atm_place.c \
    models/atm_predict.c \
    models/atm_profile.c \
    models/atm_profile_print.c \
    models/atm_search.c \
    models/atm_surrogate.c \
    models/atm_topology.c \
    models/atm_value_ask.c \
    models/atm_value_build.c \
    models/atm_value_complain.c \
    models/atm_value_file.c \
    models/atm_value_get.c \
    models/atm_value_print.c \
    models/atm_value_scan.c \
    models/atm_value_token.c \
    models/atm_value_tree.c \
    models/atm_value_twice.c \
    models/atm_where.c \
    models/atm_words.c \
    models/candidates.c \
    models/counts_generic.c \
    models/counts_generic_read.c \
    models/counts_gpfs.c \
    models/counts_independent.c \
    models/counts_isaila.c \
    models/counts_items.c \
    models/counts_lustre.c \
    models/counts_pieces.c \
    models/counts_summary.c \
    models/counts_tally.c \
    models/counts_tiles.c \
    models/explain_json.c \
    models/explain_text.c \
    models/hostlist.c \
    models/record.c \
    models/record_path.c \
    models/record_read.c \
    models/record_write.c \
    models/sur_const.c \
    models/sur_file.c \
    models/sur_forest.c \
    models/sur_grid.c \
    models/sur_knn.c \
    models/sur_linear.c \
    models/sur_mlp.c \
    models/sur_near.c \
    models/sur_rules.c \
    models/sur_rules_file.c \
    models/sur_svr.c \
    models/topology_json.c \
    models/topology_text.c \
    models/where_names.c \
    models/where_slurm.c \
    models/place_bluegene.c \
    models/place_bridge_first.c \
    models/place_uniform.c
nodist_models_libatm_la_SOURCES = models/profile_generic.c
models_libatm_la_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir)/models
models_libatm_la_CFLAGS = $(AM_CFLAGS) $(JSONC_CFLAGS)
models_libatm_la_LIBADD = $(JSONC_LIBS) -lm

models/profile_generic.c: $(top_srcdir)/models/profiles/generic.json $(top_srcdir)/models/embed.sh
	$(AM_V_GEN)$(MKDIR_P) models && $(SHELL) $(top_srcdir)/models/embed.sh \
	    $(top_srcdir)/models/profiles/generic.json > $@.tmp && mv $@.tmp $@
CLEANFILES += models/profile_generic.c
