bin_PROGRAMS += tools/probe/autotune-probe
dist_man_MANS += doc/autotune-probe.1

## what runs nothing and asks no file system, and is tested by itself
noinst_LTLIBRARIES += tools/probe/libprobe.la
tools_probe_libprobe_la_SOURCES = tools/probe/jump.c tools/probe/errors.c tools/probe/jobs.c \
    tools/probe/jobs_pbs.c tools/probe/jobs_slurm.c tools/probe/lease.c tools/probe/passive.c tools/probe/share.c \
    tools/probe/timetable.c tools/probe/trace.c tools/probe/trace_file.c

tools_probe_autotune_probe_SOURCES = tools/probe/command.c tools/probe/jobs_system.c tools/probe/passive_print.c \
    tools/probe/pinned.c tools/probe/probe.c tools/probe/probe_options.c tools/probe/prober.c \
    tools/probe/prober_lease.c tools/probe/prober_looks.c tools/probe/prober_say.c tools/probe/prober_writes.c \
    tools/probe/resubmit.c tools/probe/target.c tools/probe/worker.c
tools_probe_autotune_probe_LDADD = tools/probe/libprobe.la tools/common/libcommon.la -lm

dist_slurm_SCRIPTS += tools/slurm/probe.sbatch
dist_slurm_DATA = tools/probe/autotune-probe.service tools/probe/site.json \
    tools/state/autotune-state.service
