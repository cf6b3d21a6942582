## The model library.

noinst_LTLIBRARIES += models/libatm.la
models_libatm_la_SOURCES = models/atm.c \
    models/value/fields.c models/value/nearest.c models/value/value_ask.c models/value/value_build.c \
    models/value/value_complain.c models/value/value_file.c models/value/value_escape.c models/value/value_parse.c \
    models/value/value_print.c models/value/value_tree.c models/value/words.c \
    models/decide/answers.c models/decide/decide.c models/decide/look.c models/decide/situation_fields.c \
    models/decide/situation_read.c models/decide/situation_write.c \
    models/counts/counts.c models/counts/counts_calls.c models/counts/counts_far.c models/counts/counts_generic.c \
    models/counts/counts_generic_read.c models/counts/counts_gpfs.c models/counts/counts_independent.c \
    models/counts/counts_isaila.c models/counts/counts_items.c models/counts/counts_lustre.c \
    models/counts/counts_pieces.c models/counts/counts_servers.c models/counts/counts_shape.c models/counts/counts_sparse.c models/counts/counts_tally.c \
    models/counts/counts_tiles.c models/counts/counts_touch.c \
    models/cost/pipeline.c models/cost/surrogate.c models/cost/surrogate_const.c \
    models/cost/surrogate_correction.c models/cost/surrogate_features.c models/cost/surrogate_file.c models/cost/surrogate_forest.c \
    models/cost/surrogate_grid.c models/cost/surrogate_knn.c models/cost/surrogate_linear.c \
    models/cost/surrogate_mlp.c models/cost/surrogate_near.c models/cost/surrogate_outside.c \
    models/cost/surrogate_rules.c models/cost/surrogate_rules_file.c models/cost/surrogate_scaled.c \
    models/cost/surrogate_svr.c models/cost/write_cache.c \
    models/choose/advise.c models/choose/candidates.c models/choose/choose.c models/choose/compare.c \
    models/choose/errors.c models/choose/fixes.c models/choose/explain_json.c models/choose/explain_text.c models/choose/life.c \
    models/choose/predict.c models/choose/reason.c \
    models/place/hostlist.c models/place/near.c models/place/place.c models/place/place_bluegene.c \
    models/place/place_bridge_first.c models/place/place_holders.c models/place/place_near.c models/place/place_nodes.c \
    models/place/place_uniform.c models/place/topology.c models/place/topology_json.c \
    models/place/topology_nodes.c models/place/topology_text.c models/place/where.c models/place/where_names.c \
    models/place/where_slurm.c \
    models/advice/advice.c models/advice/chunk.c models/advice/glob.c models/advice/settings.c \
    models/hdf5/dataset_access.c models/hdf5/pieces.c models/hdf5/set.c models/hdf5/allocation.c models/hdf5/allocation_free.c \
    models/hdf5/variants.c \
    models/files/asked.c models/files/file_system.c models/files/fit.c models/files/installed.c \
    models/files/machine.c models/value/text_output.c models/value/text_output_send.c models/files/profile.c \
    models/files/profile_print.c models/files/job.c models/files/program_name.c models/files/recent.c \
    models/files/record.c models/files/record_path.c models/files/record_read.c models/files/record_write.c \
    models/files/search.c models/files/user.c \
    models/state/classifier.c models/state/classifier_latency.c models/state/classifier_logit.c models/state/classifier_majority.c \
    models/state/classifier_markov.c models/state/classifier_naive_bayes.c models/state/classifier_persistence.c \
    models/state/classifier_surrogate.c models/state/groups.c models/state/pick.c models/state/repeat.c \
    models/state/shares.c models/state/slowness.c models/state/state.c models/state/steering.c
nodist_models_libatm_la_SOURCES = models/profile_generic.c
models_libatm_la_LIBADD = $(JSONC_LIBS) -lm

models/profile_generic.c: $(top_srcdir)/models/profiles/generic.json $(top_srcdir)/models/embed.sh
	$(AM_V_GEN)$(MKDIR_P) models && $(SHELL) $(top_srcdir)/models/embed.sh \
	    $(top_srcdir)/models/profiles/generic.json > $@.tmp && mv $@.tmp $@
CLEANFILES += models/profile_generic.c
