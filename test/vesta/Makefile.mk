## The paper's machine, simulated with SimGrid: make vesta [VESTA_JOBS=N] makes its
## data anew in vesta/ (about twenty minutes of one core); what test/vesta/data has was made
## so.

TESTS += test/vesta/vesta.sh

if HAVE_SIMGRID
vesta_cppflags = -I$(top_srcdir)/models -I$(top_srcdir)/tools $(SIMGRID_CFLAGS)
vesta_cxxflags = -std=c++17 $(WARNINGS)

check_LTLIBRARIES += test/vesta/libvesta.la
test_vesta_libvesta_la_SOURCES = \
    test/vesta/collectives.cpp test/vesta/collectives.hpp \
    test/vesta/machine.cpp test/vesta/machine.hpp \
    test/vesta/mix.hpp \
    test/vesta/network.cpp test/vesta/network.hpp \
    test/vesta/parameters.hpp \
    test/vesta/simulate.cpp test/vesta/simulate.hpp \
    test/vesta/storage.cpp test/vesta/storage.hpp \
    test/vesta/tokens.cpp test/vesta/tokens.hpp \
    test/vesta/torus.cpp test/vesta/torus.hpp \
    test/vesta/twophase.cpp test/vesta/twophase.hpp \
    test/vesta/writers.cpp test/vesta/writers.hpp
test_vesta_libvesta_la_CPPFLAGS = $(vesta_cppflags)
test_vesta_libvesta_la_CXXFLAGS = $(vesta_cxxflags)
test_vesta_libvesta_la_LIBADD = models/libatm.la $(SIMGRID_LIBS)

check_PROGRAMS += test/vesta/vesta test/vesta/test_vesta
test_vesta_vesta_SOURCES = \
    test/vesta/calibrate.cpp \
    test/vesta/commands.hpp \
    test/vesta/points.hpp test/vesta/points_communication.cpp test/vesta/points_storage.cpp \
    test/vesta/pool.cpp test/vesta/pool.hpp \
    test/vesta/run.cpp \
    test/vesta/sensitivity.cpp \
    test/vesta/study.cpp test/vesta/study.hpp \
    test/vesta/sweep.cpp \
    test/vesta/value.cpp test/vesta/value.hpp \
    test/vesta/vesta.cpp \
    tools/options.c tools/options.h
test_vesta_vesta_CPPFLAGS = $(vesta_cppflags)
test_vesta_vesta_CXXFLAGS = $(vesta_cxxflags)
test_vesta_vesta_LDADD = test/vesta/libvesta.la

test_vesta_test_vesta_SOURCES = test/vesta/test_vesta.cpp
test_vesta_test_vesta_CPPFLAGS = $(vesta_cppflags)
test_vesta_test_vesta_CXXFLAGS = $(vesta_cxxflags)
test_vesta_test_vesta_LDADD = test/vesta/libvesta.la

VESTA_JOBS = $(MPICH_JOBS)
vesta: test/vesta/vesta
	test/vesta/vesta sweep --out vesta --jobs $(VESTA_JOBS)
	test/vesta/vesta calibrate --out vesta --jobs $(VESTA_JOBS)
	test/vesta/vesta sensitivity --out vesta --jobs $(VESTA_JOBS)
endif
.PHONY: vesta
