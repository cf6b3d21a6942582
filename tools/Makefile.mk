bin_PROGRAMS += tools/autotune-write
dist_man_MANS += doc/autotune-write.1
TESTS += test/tools/write.sh

tools_autotune_write_SOURCES = tools/autotune-write.c tools/autotune_write.h \
    tools/autotune_write_print.c
tools_autotune_write_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
tools_autotune_write_LDADD = $(MPI_LIBS)

bin_PROGRAMS += tools/autotune
dist_man_MANS += doc/autotune.1 doc/autotune-explain.1 doc/autotune-place.1

tools_autotune_SOURCES = tools/autotune.c tools/autotune.h tools/autotune_explain.c \
    tools/autotune_place.c tools/options.c tools/options.h
tools_autotune_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS) -I$(top_srcdir)/models
tools_autotune_LDADD = models/libatm.la

include tools/train/Makefile.mk
