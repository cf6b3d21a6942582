## simulate: an application that writes to targets which may be busy.  No MPI.

check_PROGRAMS += study/state/simulate
study_state_simulate_SOURCES = \
    study/state/figure.c \
    study/state/figure.h \
    study/state/placements.c \
    study/state/placements.h \
    study/state/simulate.c \
    study/state/world.c \
    study/state/world.h
study_state_simulate_CPPFLAGS = $(study_cppflags) -I$(top_srcdir)/study/state
study_state_simulate_LDADD = tools/report/libpage.la tools/common/libcommon.la models/libatm.la -lm

## herd: many jobs that read the same state at once
check_PROGRAMS += study/state/herd
study_state_herd_SOURCES = study/state/herd.c
study_state_herd_CPPFLAGS = $(study_cppflags)
study_state_herd_LDADD = tools/common/libcommon.la models/libatm.la -lm
NIGHTLY += study/state/simulate.sh study/state/herd.sh
