## The paper's machine, simulated with SimGrid: make vesta [VESTA_JOBS=N] makes its
## data anew in vesta/ (about twenty minutes of one core); what study/vesta/data has was made
## so.

NIGHTLY += study/vesta/vesta.sh

if HAVE_SIMGRID
vesta_cppflags = -I$(top_srcdir)/models -I$(top_srcdir)/tools $(SIMGRID_CFLAGS)
# SimGrid 3.32 only has names that 4.0 calls deprecated
vesta_cxxflags = -std=c++17 $(WARNINGS) -Wno-deprecated-declarations

check_LTLIBRARIES += study/vesta/libvesta.la
study_vesta_libvesta_la_SOURCES = study/vesta/collectives.cpp study/vesta/machine.cpp study/vesta/network.cpp \
    study/vesta/simulate.cpp study/vesta/storage.cpp study/vesta/tokens.cpp study/vesta/torus.cpp \
    study/vesta/twophase.cpp study/vesta/writers.cpp
study_vesta_libvesta_la_CPPFLAGS = $(vesta_cppflags)
study_vesta_libvesta_la_CXXFLAGS = $(vesta_cxxflags)
study_vesta_libvesta_la_LIBADD = models/libatm.la $(SIMGRID_LIBS)

check_PROGRAMS += study/vesta/vesta study/vesta/test_vesta
study_vesta_vesta_SOURCES = study/vesta/calibrate.cpp study/vesta/points_communication.cpp \
    study/vesta/points_storage.cpp study/vesta/pool.cpp study/vesta/run.cpp study/vesta/sensitivity.cpp \
    study/vesta/study.cpp study/vesta/sweep.cpp study/vesta/value.cpp study/vesta/vesta.cpp
study_vesta_vesta_CPPFLAGS = $(vesta_cppflags)
study_vesta_vesta_CXXFLAGS = $(vesta_cxxflags)
study_vesta_vesta_LDADD = study/vesta/libvesta.la tools/common/libcommon.la

study_vesta_test_vesta_SOURCES = study/vesta/test_vesta.cpp
study_vesta_test_vesta_CPPFLAGS = $(vesta_cppflags)
study_vesta_test_vesta_CXXFLAGS = $(vesta_cxxflags)
study_vesta_test_vesta_LDADD = study/vesta/libvesta.la tools/common/libcommon.la

VESTA_JOBS = $(MPICH_JOBS)
vesta: study/vesta/vesta
	study/vesta/vesta sweep --out vesta --jobs $(VESTA_JOBS)
	study/vesta/vesta calibrate --out vesta --jobs $(VESTA_JOBS)
	study/vesta/vesta sensitivity --out vesta --jobs $(VESTA_JOBS)
endif
.PHONY: vesta
