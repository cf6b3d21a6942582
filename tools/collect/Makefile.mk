## autotune-collect: the collector of a node.  No MPI.

bin_PROGRAMS += tools/collect/autotune-collect
dist_man_MANS += doc/autotune-collect.1
dist_slurm_DATA += tools/collect/autotune-collect.service

## what is tested by itself
noinst_LTLIBRARIES += tools/collect/libcollect.la
tools_collect_libcollect_la_SOURCES = watch/reason.c tools/collect/neighbours.c tools/collect/neighbours_file.c \
    tools/collect/node.c tools/collect/say.c tools/collect/users.c tools/collect/check.c tools/collect/counters.c \
    tools/collect/levels.c

tools_collect_autotune_collect_SOURCES = tools/collect/collect.c tools/collect/collect_options.c \
    tools/collect/connection.c tools/collect/importer.c tools/collect/lefts.c tools/collect/place.c \
    tools/collect/report.c tools/collect/run.c tools/collect/server.c tools/collect/show.c tools/collect/sources.c \
    tools/collect/statistics.c tools/collect/store.c tools/collect/writer.c
tools_collect_autotune_collect_LDADD = tools/collect/libcollect.la tools/common/libcommon.la -lpthread -lm
