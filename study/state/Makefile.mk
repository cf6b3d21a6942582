## simulate: an application that writes to targets which may be busy.  No MPI.

check_PROGRAMS += study/state/simulate
study_state_simulate_SOURCES = study/state/figure.c study/state/placements.c study/state/simulate.c \
    study/state/herd_world.c
study_state_simulate_LDADD = tools/report/libpage.la tools/common/libcommon.la models/libatm.la -lm

## herd: many jobs that read the same state at once
check_PROGRAMS += study/state/herd
study_state_herd_LDADD = tools/common/libcommon.la models/libatm.la -lm
NIGHTLY += study/state/simulate.sh study/state/herd.sh
