## What the tools share.

noinst_LTLIBRARIES += tools/common/libcommon.la
tools_common_libcommon_la_SOURCES = \
    tools/common/burst.c \
    tools/common/burst.h \
    tools/common/burst_fit.c \
    tools/common/cholesky.c \
    tools/common/cholesky.h \
    tools/common/clock.h \
    tools/common/durable.c \
    tools/common/durable.h \
    tools/common/facts.c \
    tools/common/facts.h \
    tools/common/grid.c \
    tools/common/grid.h \
    tools/common/options.c \
    tools/common/options.h \
    tools/common/outcome.c \
    tools/common/outcome.h \
    tools/common/profile_find.c \
    tools/common/profile_find.h \
    tools/common/records.c \
    tools/common/records.h \
    tools/common/rng.h \
    tools/common/shown.c \
    tools/common/shown.h \
    tools/common/stats.c \
    tools/common/stats.h \
    tools/common/stats_mean.c \
    tools/common/typical.c \
    tools/common/typical.h \
    tools/common/units.c \
    tools/common/units.h
tools_common_libcommon_la_CPPFLAGS = $(tool_cppflags) -DSYSCONFDIR='"$(sysconfdir)"'
tools_common_libcommon_la_CFLAGS = $(AM_CFLAGS)
tools_common_libcommon_la_LIBADD = models/libatm.la $(GSL_LIBS) -lm
