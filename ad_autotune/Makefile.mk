if BUILD_AD_AUTOTUNE

## Beside this file are copies of adio/ of romio-autotune as atc/ and of models/
## as atm/, and a list of all sources.  json-c is the copy that MPICH has.
## Floating-point operations are not fused, so that every platform chooses alike.
AM_CPPFLAGS += -DATC_EMBEDDED -D_GNU_SOURCE \
    -DADIOI_AUTOTUNE_SYSCONFDIR='"$(sysconfdir)"' \
    -I$(top_srcdir)/adio/ad_autotune/atc -I$(top_srcdir)/adio/ad_autotune/atm \
    -I$(top_srcdir)/../../../modules/json-c -I$(top_builddir)/../../../modules/json-c
AM_CFLAGS += -ffp-contract=off

include $(top_srcdir)/adio/ad_autotune/sources.mk
noinst_HEADERS += $(autotune_headers)
romio_other_sources += $(autotune_sources)

endif BUILD_AD_AUTOTUNE
