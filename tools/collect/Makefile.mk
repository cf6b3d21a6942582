## autotune-collect: the collector of a node.  No MPI.

bin_PROGRAMS += tools/collect/autotune-collect
dist_man_MANS += doc/autotune-collect.1
dist_slurm_DATA += tools/collect/autotune-collect.service

## what asks neither the system nor a socket, and is tested by itself
collect_pure = watch/collect_format.h watch/spool_format.h \
    tools/collect/check.h tools/collect/check.c \
    tools/collect/counters.h tools/collect/counters.c \
    tools/collect/levels.h tools/collect/levels.c

tools_collect_autotune_collect_SOURCES = $(collect_pure) \
    tools/collect/collect.h tools/collect/collect.c tools/collect/collect_options.c \
    tools/collect/connection.h tools/collect/connection.c \
    tools/collect/importer.h tools/collect/importer.c \
    tools/collect/lefts.h tools/collect/lefts.c \
    tools/collect/neighbours.h tools/collect/neighbours.c \
    tools/collect/neighbours_file.h tools/collect/neighbours_file.c \
    tools/collect/node.h tools/collect/node.c watch/reason.h watch/reason.c \
    tools/collect/place.h tools/collect/place.c \
    tools/collect/report.h tools/collect/report.c \
    tools/collect/run.c tools/collect/say.c tools/collect/server.c tools/collect/server.h tools/collect/show.c \
    tools/collect/sources.h tools/collect/sources.c \
    tools/collect/statistics.h tools/collect/statistics.c \
    tools/collect/store.h tools/collect/store.c \
    tools/collect/users.h tools/collect/users.c \
    tools/collect/writer.h tools/collect/writer.c
tools_collect_autotune_collect_CPPFLAGS = $(tool_cppflags) -I$(top_srcdir)
tools_collect_autotune_collect_LDADD = tools/common/libcommon.la -lpthread -lm
