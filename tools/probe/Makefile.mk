bin_PROGRAMS += tools/probe/autotune-probe
dist_man_MANS += doc/autotune-probe.1

## what runs nothing and asks no file system, and is tested by itself
probe_pure = tools/probe/jump.h tools/probe/jump.c tools/probe/errors.h tools/probe/errors.c \
    tools/probe/jobs.h tools/probe/jobs.c tools/probe/jobs_pbs.c tools/probe/jobs_slurm.c \
    tools/probe/lease.h tools/probe/lease.c tools/probe/passive.h tools/probe/passive.c \
    tools/probe/share.h tools/probe/share.c tools/probe/target.h \
    tools/probe/timetable.h tools/probe/timetable.c \
    tools/probe/trace.h tools/probe/trace.c tools/probe/trace_file.h tools/probe/trace_file.c

tools_probe_autotune_probe_SOURCES = $(probe_pure) \
    tools/probe/command.h tools/probe/command.c \
    tools/probe/jobs_system.h tools/probe/jobs_system.c tools/probe/passive_print.c \
    tools/probe/pinned.h tools/probe/pinned.c \
    tools/probe/probe.h tools/probe/probe.c tools/probe/probe_options.c \
    tools/probe/prober.h tools/probe/prober.c tools/probe/prober_lease.c \
    tools/probe/prober_looks.c tools/probe/prober_say.c tools/probe/prober_writes.c \
    tools/probe/resubmit.h tools/probe/resubmit.c tools/probe/target.c \
    tools/probe/worker.h tools/probe/worker.c
tools_probe_autotune_probe_CPPFLAGS = $(tool_cppflags)
tools_probe_autotune_probe_LDADD = tools/common/libcommon.la -lm

dist_slurm_SCRIPTS += tools/slurm/probe.sbatch
dist_slurm_DATA = tools/probe/autotune-probe.service tools/probe/site.json \
    tools/state/autotune-state.service
