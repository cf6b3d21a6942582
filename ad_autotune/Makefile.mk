if BUILD_AD_AUTOTUNE

## adio/ of romio-autotune is copied beside this file as atc/, models/ as atm/.
## Floating-point operations are not fused, so that every platform chooses alike.
AM_CPPFLAGS += -DATC_EMBEDDED -I$(top_srcdir)/adio/ad_autotune/atc -I$(top_srcdir)/adio/ad_autotune/atm \
    -I$(top_srcdir)/../../../modules/json-c -I$(top_builddir)/../../../modules/json-c -D_GNU_SOURCE \
    -DADIOI_AUTOTUNE_SYSCONFDIR='"$(sysconfdir)"'
AM_CFLAGS += -ffp-contract=off

noinst_HEADERS +=                             \
    adio/ad_autotune/ad_autotune.h            \
    adio/ad_autotune/ad_autotune_name.h       \
    adio/ad_autotune/atc/atc.h                \
    adio/ad_autotune/atc/atc_embedded.h       \
    adio/ad_autotune/atm/atm.h \
    adio/ad_autotune/atm/atm_choose.h \
    adio/ad_autotune/atm/atm_counts.h \
    adio/ad_autotune/atm/atm_embedded.h \
    adio/ad_autotune/atm/atm_explain.h \
    adio/ad_autotune/atm/atm_locale.h \
    adio/ad_autotune/atm/atm_pipeline.h \
    adio/ad_autotune/atm/atm_place.h \
    adio/ad_autotune/atm/atm_predict.h \
    adio/ad_autotune/atm/atm_profile.h \
    adio/ad_autotune/atm/atm_profile_generic.h \
    adio/ad_autotune/atm/atm_surrogate.h \
    adio/ad_autotune/atm/atm_topology.h \
    adio/ad_autotune/atm/atm_value.h \
    adio/ad_autotune/atm/atm_value_scan.h \
    adio/ad_autotune/atm/atm_value_tree.h \
    adio/ad_autotune/atm/candidates.h \
    adio/ad_autotune/atm/counts.h \
    adio/ad_autotune/atm/place.h \
    adio/ad_autotune/atm/sur.h \
    adio/ad_autotune/atm/sur_grid.h \
    adio/ad_autotune/atm/sur_inside.h \
    adio/ad_autotune/atm/sur_math.h \
    adio/ad_autotune/atm/sur_near.h \
    adio/ad_autotune/atm/sur_rules.h \
    adio/ad_autotune/atm/topology.h

romio_other_sources +=                        \
    adio/ad_autotune/ad_autotune.c            \
    adio/ad_autotune/ad_autotune_coll.c       \
    adio/ad_autotune/ad_autotune_tune.c \
    adio/ad_autotune/ad_autotune_settings.c \
    adio/ad_autotune/ad_autotune_profile.c \
    adio/ad_autotune/ad_autotune_job.c \
    adio/ad_autotune/ad_autotune_decide.c \
    adio/ad_autotune/ad_autotune_apply.c \
    adio/ad_autotune/ad_autotune_access.c \
    adio/ad_autotune/ad_autotune_delete.c     \
    adio/ad_autotune/ad_autotune_hints.c      \
    adio/ad_autotune/ad_autotune_name.c       \
    adio/ad_autotune/ad_autotune_open.c       \
    adio/ad_autotune/ad_autotune_record.c     \
    adio/ad_autotune/ad_autotune_state.c      \
    adio/ad_autotune/ad_autotune_watch.c      \
    adio/ad_autotune/ad_autotune_wrapped.c    \
    adio/ad_autotune/atc/atc_access.c \
    adio/ad_autotune/atc/atc_agree.c          \
    adio/ad_autotune/atc/atc_cache.c          \
    adio/ad_autotune/atc/atc_nodemap.c        \
    adio/ad_autotune/atm/atm.c \
    adio/ad_autotune/atm/atm_choose.c \
    adio/ad_autotune/atm/atm_counts.c \
    adio/ad_autotune/atm/atm_json.c \
    adio/ad_autotune/atm/atm_pipeline.c \
    adio/ad_autotune/atm/atm_place.c \
    adio/ad_autotune/atm/atm_predict.c \
    adio/ad_autotune/atm/atm_profile.c \
    adio/ad_autotune/atm/atm_profile_generic.c \
    adio/ad_autotune/atm/atm_profile_print.c \
    adio/ad_autotune/atm/atm_surrogate.c \
    adio/ad_autotune/atm/atm_topology.c \
    adio/ad_autotune/atm/atm_value_ask.c \
    adio/ad_autotune/atm/atm_value_build.c \
    adio/ad_autotune/atm/atm_value_complain.c \
    adio/ad_autotune/atm/atm_value_file.c \
    adio/ad_autotune/atm/atm_value_get.c \
    adio/ad_autotune/atm/atm_value_print.c \
    adio/ad_autotune/atm/atm_value_scan.c \
    adio/ad_autotune/atm/atm_value_token.c \
    adio/ad_autotune/atm/atm_value_tree.c \
    adio/ad_autotune/atm/atm_value_twice.c \
    adio/ad_autotune/atm/candidates.c \
    adio/ad_autotune/atm/counts_generic.c \
    adio/ad_autotune/atm/counts_generic_read.c \
    adio/ad_autotune/atm/counts_gpfs.c \
    adio/ad_autotune/atm/counts_independent.c \
    adio/ad_autotune/atm/counts_isaila.c \
    adio/ad_autotune/atm/counts_items.c \
    adio/ad_autotune/atm/counts_lustre.c \
    adio/ad_autotune/atm/counts_pieces.c \
    adio/ad_autotune/atm/counts_summary.c \
    adio/ad_autotune/atm/counts_tally.c \
    adio/ad_autotune/atm/counts_tiles.c \
    adio/ad_autotune/atm/explain_json.c \
    adio/ad_autotune/atm/explain_text.c \
    adio/ad_autotune/atm/place_bluegene.c \
    adio/ad_autotune/atm/place_bridge_first.c \
    adio/ad_autotune/atm/place_uniform.c \
    adio/ad_autotune/atm/sur_const.c \
    adio/ad_autotune/atm/sur_file.c \
    adio/ad_autotune/atm/sur_forest.c \
    adio/ad_autotune/atm/sur_grid.c \
    adio/ad_autotune/atm/sur_knn.c \
    adio/ad_autotune/atm/sur_linear.c \
    adio/ad_autotune/atm/sur_mlp.c \
    adio/ad_autotune/atm/sur_near.c \
    adio/ad_autotune/atm/sur_rules.c \
    adio/ad_autotune/atm/sur_rules_file.c \
    adio/ad_autotune/atm/sur_svr.c \
    adio/ad_autotune/atm/topology_json.c \
    adio/ad_autotune/atm/topology_text.c

endif BUILD_AD_AUTOTUNE
