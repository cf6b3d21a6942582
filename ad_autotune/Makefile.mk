if BUILD_AD_AUTOTUNE

## adio/ of romio-autotune is copied beside this file as atc/
AM_CPPFLAGS += -DATC_EMBEDDED -I$(top_srcdir)/adio/ad_autotune/atc

noinst_HEADERS +=                             \
    adio/ad_autotune/ad_autotune.h            \
    adio/ad_autotune/ad_autotune_name.h       \
    adio/ad_autotune/atc/atc.h                \
    adio/ad_autotune/atc/atc_embedded.h

romio_other_sources +=                        \
    adio/ad_autotune/ad_autotune.c            \
    adio/ad_autotune/ad_autotune_coll.c       \
    adio/ad_autotune/ad_autotune_delete.c     \
    adio/ad_autotune/ad_autotune_hints.c      \
    adio/ad_autotune/ad_autotune_name.c       \
    adio/ad_autotune/ad_autotune_open.c       \
    adio/ad_autotune/ad_autotune_record.c     \
    adio/ad_autotune/ad_autotune_state.c      \
    adio/ad_autotune/ad_autotune_watch.c      \
    adio/ad_autotune/ad_autotune_wrapped.c    \
    adio/ad_autotune/atc/atc_agree.c          \
    adio/ad_autotune/atc/atc_cache.c          \
    adio/ad_autotune/atc/atc_nics.c           \
    adio/ad_autotune/atc/atc_nodemap.c

endif BUILD_AD_AUTOTUNE
