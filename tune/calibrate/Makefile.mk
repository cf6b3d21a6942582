bin_PROGRAMS += tune/calibrate/autotune-calibrate
dist_man_MANS += doc/autotune-calibrate.1

## what needs no MPI, and is tested without it
noinst_LTLIBRARIES += tune/calibrate/libcalibrate.la
tune_calibrate_libcalibrate_la_SOURCES = tune/calibrate/plan.c tune/calibrate/plan_groups.c \
    tune/calibrate/plan_communication.c tune/calibrate/plan_room.c tune/calibrate/plan_storage.c \
    tune/calibrate/reach.c tune/calibrate/schedule.c tune/calibrate/schedule_guess.c \
    tune/calibrate/schedule_worth.c tune/calibrate/repetitions.c tune/calibrate/visits_journal.c \
    tune/calibrate/points_file.c

tune_calibrate_autotune_calibrate_SOURCES = tune/calibrate/transfer.c tune/calibrate/bursts.c \
    tune/calibrate/cache.c tune/calibrate/calibrate.c tune/calibrate/calibrate_options.c \
    tune/calibrate/collective.c tune/calibrate/exchange.c tune/calibrate/surroundings.c tune/calibrate/first_look.c \
    tune/calibrate/prepare.c tune/calibrate/room.c tune/calibrate/visits_progress.c tune/calibrate/provide.c \
    tune/calibrate/visits.c tune/calibrate/sample.c tune/calibrate/scratch.c tune/calibrate/stolen.c \
    tune/calibrate/storage.c tune/calibrate/storage_file.c tune/calibrate/touch.c tune/calibrate/ranks.c \
    adio/atc_agree.c adio/atc_cache.c adio/atc_nics.c adio/atc_nodemap.c
tune_calibrate_autotune_calibrate_LDADD = tune/calibrate/libcalibrate.la tools/common/libcommon.la $(MPI_LIBS)

slurmdir = $(pkgdatadir)
dist_slurm_SCRIPTS = tools/slurm/calibrate.sbatch
