bin_PROGRAMS += tools/calibrate/autotune-calibrate
dist_man_MANS += doc/autotune-calibrate.1

## what needs no MPI, and is tested without it
noinst_LTLIBRARIES += tools/calibrate/libcalibrate.la
tools_calibrate_libcalibrate_la_SOURCES = tools/calibrate/plan.c tools/calibrate/plan_groups.c \
    tools/calibrate/plan_communication.c tools/calibrate/plan_room.c tools/calibrate/plan_storage.c \
    tools/calibrate/reach.c tools/calibrate/schedule.c tools/calibrate/schedule_guess.c \
    tools/calibrate/schedule_worth.c tools/calibrate/statistics.c tools/calibrate/journal.c \
    tools/calibrate/output.c

tools_calibrate_autotune_calibrate_SOURCES = tools/calibrate/access.c tools/calibrate/bursts.c \
    tools/calibrate/cache.c tools/calibrate/calibrate.c tools/calibrate/calibrate_options.c \
    tools/calibrate/collective.c tools/calibrate/exchange.c tools/calibrate/facts.c tools/calibrate/look.c \
    tools/calibrate/prepare.c tools/calibrate/room.c tools/calibrate/progress.c tools/calibrate/provide.c \
    tools/calibrate/run.c tools/calibrate/sample.c tools/calibrate/scratch.c tools/calibrate/stolen.c \
    tools/calibrate/storage.c tools/calibrate/storage_file.c tools/calibrate/touch.c tools/calibrate/world.c \
    adio/atc_agree.c adio/atc_cache.c adio/atc_nics.c adio/atc_nodemap.c
tools_calibrate_autotune_calibrate_LDADD = tools/calibrate/libcalibrate.la tools/common/libcommon.la $(MPI_LIBS)

slurmdir = $(pkgdatadir)
dist_slurm_SCRIPTS = tools/slurm/calibrate.sbatch
