## The model library.

noinst_LTLIBRARIES += models/libatm.la
models_libatm_la_SOURCES = \
    models/atm.c \
    models/atm.h \
    models/random.h \
    models/value/locale.h \
    models/value/value.h \
    models/value/value_ask.c \
    models/value/value_build.c \
    models/value/value_complain.c \
    models/value/value_file.c \
    models/value/value_parse.c \
    models/value/value_print.c \
    models/value/value_text.h \
    models/value/value_tree.c \
    models/value/value_tree.h \
    models/value/words.c \
    models/value/words.h \
    models/counts/counts.c \
    models/counts/counts.h \
    models/counts/counts_calls.c \
    models/counts/counts_far.c \
    models/counts/counts_generic.c \
    models/counts/counts_generic_read.c \
    models/counts/counts_gpfs.c \
    models/counts/counts_independent.c \
    models/counts/counts_inside.h \
    models/counts/counts_isaila.c \
    models/counts/counts_items.c \
    models/counts/counts_lustre.c \
    models/counts/counts_pieces.c \
    models/counts/counts_servers.c \
    models/counts/counts_tally.c \
    models/counts/counts_tiles.c \
    models/counts/counts_touch.c \
    models/cost/pipeline.c \
    models/cost/pipeline.h \
    models/cost/surrogate.c \
    models/cost/surrogate.h \
    models/cost/surrogate_const.c \
    models/cost/surrogate_file.c \
    models/cost/surrogate_forest.c \
    models/cost/surrogate_grid.c \
    models/cost/surrogate_grid.h \
    models/cost/surrogate_inside.h \
    models/cost/surrogate_kind.h \
    models/cost/surrogate_knn.c \
    models/cost/surrogate_linear.c \
    models/cost/surrogate_math.h \
    models/cost/surrogate_mlp.c \
    models/cost/surrogate_near.c \
    models/cost/surrogate_near.h \
    models/cost/surrogate_rules.c \
    models/cost/surrogate_rules.h \
    models/cost/surrogate_rules_file.c \
    models/cost/surrogate_svr.c \
    models/cost/write_cache.c \
    models/cost/write_cache.h \
    models/choose/candidates.c \
    models/choose/candidates.h \
    models/choose/choose.c \
    models/choose/choose.h \
    models/choose/compare.c \
    models/choose/compare.h \
    models/choose/errors.c \
    models/choose/errors.h \
    models/choose/explain.h \
    models/choose/explain_json.c \
    models/choose/explain_text.c \
    models/choose/life.c \
    models/choose/predict.c \
    models/choose/predict.h \
    models/choose/reason.c \
    models/choose/reason.h \
    models/place/hostlist.c \
    models/place/hostlist.h \
    models/place/near.c \
    models/place/near.h \
    models/place/place.c \
    models/place/place.h \
    models/place/place_bluegene.c \
    models/place/place_bridge_first.c \
    models/place/place_near.c \
    models/place/place_policy.h \
    models/place/place_uniform.c \
    models/place/topology.c \
    models/place/topology.h \
    models/place/topology_inside.h \
    models/place/topology_json.c \
    models/place/topology_text.c \
    models/place/where.c \
    models/place/where.h \
    models/place/where_inside.h \
    models/place/where_names.c \
    models/place/where_slurm.c \
    models/files/asked.c \
    models/files/asked.h \
    models/files/machine.c \
    models/files/machine.h \
    models/files/output.c \
    models/files/output.h \
    models/files/output_send.c \
    models/files/output_send.h \
    models/files/profile.c \
    models/files/profile.h \
    models/files/profile_generic.h \
    models/files/profile_print.c \
    models/files/record.c \
    models/files/record.h \
    models/files/record_inside.h \
    models/files/record_path.c \
    models/files/record_read.c \
    models/files/record_write.c \
    models/files/search.c \
    models/files/search.h \
    models/state/classifier.c \
    models/state/classifier.h \
    models/state/classifier_kind.h \
    models/state/classifier_majority.c \
    models/state/classifier_markov.c \
    models/state/classifier_markov.h \
    models/state/classifier_naive_bayes.c \
    models/state/classifier_persistence.c \
    models/state/classifier_surrogate.c \
    models/state/pick.c \
    models/state/pick.h \
    models/state/shares.c \
    models/state/shares.h \
    models/state/slowness.c \
    models/state/slowness.h \
    models/state/state.c \
    models/state/state.h \
    models/state/steering.c \
    models/state/steering.h
nodist_models_libatm_la_SOURCES = models/profile_generic.c
models_libatm_la_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir)/models
models_libatm_la_CFLAGS = $(AM_CFLAGS) $(JSONC_CFLAGS)
models_libatm_la_LIBADD = $(JSONC_LIBS) -lm

models/profile_generic.c: $(top_srcdir)/models/profiles/generic.json $(top_srcdir)/models/embed.sh
	$(AM_V_GEN)$(MKDIR_P) models && $(SHELL) $(top_srcdir)/models/embed.sh \
	    $(top_srcdir)/models/profiles/generic.json > $@.tmp && mv $@.tmp $@
CLEANFILES += models/profile_generic.c
