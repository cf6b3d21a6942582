## autotune-collect: the collector of a node.  No MPI.

bin_PROGRAMS += site/collect/autotune-collect
dist_man_MANS += doc/autotune-collect.1
dist_slurm_DATA += site/collect/autotune-collect.service

## what is tested by itself
noinst_LTLIBRARIES += site/collect/libcollect.la
site_collect_libcollect_la_SOURCES = watch/reasoner.c site/collect/neighbours.c site/collect/neighbours_file.c \
    site/collect/node.c site/collect/log.c site/collect/users.c site/collect/check.c site/collect/counters.c \
    site/collect/levels.c

site_collect_autotune_collect_SOURCES = site/collect/collector.c site/collect/collect_options.c \
    site/collect/connection.c site/collect/importer.c site/collect/lefts.c site/collect/socket.c \
    site/collect/statistics_file.c site/collect/server_run.c site/collect/server.c site/collect/show.c site/collect/sources.c \
    site/collect/statistics.c site/collect/store.c site/collect/writer.c
site_collect_autotune_collect_LDADD = site/collect/libcollect.la tools/common/libcommon.la -lpthread -lm
