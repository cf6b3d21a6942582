bin_PROGRAMS += site/probe/autotune-probe
dist_man_MANS += doc/autotune-probe.1

## what runs nothing and asks no file system, and is tested by itself
noinst_LTLIBRARIES += site/probe/libprobe.la
site_probe_libprobe_la_SOURCES = site/probe/jump.c site/probe/error_names.c site/probe/jobs.c \
    site/probe/jobs_pbs.c site/probe/jobs_slurm.c site/probe/lease.c site/probe/passive.c site/probe/share.c \
    site/probe/timetable.c site/probe/trace_write.c site/probe/trace_file.c

site_probe_autotune_probe_SOURCES = site/probe/command.c site/probe/jobs_system.c site/probe/passive_print.c \
    site/probe/pinned.c site/probe/probe.c site/probe/probe_options.c site/probe/prober.c \
    site/probe/prober_lease.c site/probe/prober_looks.c site/probe/prober_say.c site/probe/prober_writes.c \
    site/probe/resubmit.c site/probe/target.c site/probe/worker.c
site_probe_autotune_probe_LDADD = site/probe/libprobe.la tools/common/libcommon.la -lm

dist_slurm_SCRIPTS += tools/slurm/probe.sbatch
dist_slurm_DATA = site/probe/autotune-probe.service site/probe/site.json \
    site/state/autotune-state.service
