## What the tools share.

noinst_LTLIBRARIES += tools/common/libcommon.la
tools_common_libcommon_la_SOURCES = tools/common/burst.c tools/common/burst_fit.c tools/common/cholesky.c tools/common/durable.c \
    tools/common/machine_words.c tools/common/grid.c tools/common/options.c tools/common/outcome.c \
    tools/common/profile_find.c tools/common/records.c tools/common/shown.c tools/common/stats.c \
    tools/common/stats_mean.c tools/common/typical.c tools/common/units.c
tools_common_libcommon_la_CPPFLAGS = $(AM_CPPFLAGS) -DSYSCONFDIR='"$(sysconfdir)"'
tools_common_libcommon_la_LIBADD = models/libatm.la $(GSL_LIBS) -lm
