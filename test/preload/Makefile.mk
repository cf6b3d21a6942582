## The preload library: its answers about datatypes, and programs of MPI libraries that are not ours.

if HAVE_PRELOAD
check_DATA += preload/libromio-autotune.so
if HAVE_OPENMPI
check_DATA += preload/libromio-autotune-openmpi.so
endif HAVE_OPENMPI
check_PROGRAMS += test/preload/calls test/preload/loader test/preload/test_layout
test_preload_calls_SOURCES = test/preload/calls.c test/mpitap.h
test_preload_calls_CPPFLAGS = $(mpi_cppflags)
test_preload_calls_LDADD = $(MPI_LIBS)
test_preload_loader_SOURCES = test/preload/loader.c
test_preload_loader_LDADD = -ldl
test_preload_test_layout_SOURCES = test/preload/test_layout.c preload/layout.c preload/layout.h preload/atp.h \
    test/mpitap.h
test_preload_test_layout_CPPFLAGS = -D_GNU_SOURCE -I$(top_srcdir)/preload $(mpi_cppflags)
test_preload_test_layout_LDADD = $(MPI_LIBS) -ldl

# Only compiled here: preload.sh links it with Open MPI.
check_LTLIBRARIES += test/preload/libleft.la
test_preload_libleft_la_SOURCES = test/preload/left.c test/mpitap.h
test_preload_libleft_la_CPPFLAGS = $(mpi_cppflags)

# Only compiled here: clients.sh links it with the MPI library of PnetCDF's.
if HAVE_PNETCDF
check_LTLIBRARIES += test/preload/libclients.la
test_preload_libclients_la_SOURCES = test/preload/pnetcdf.c test/mpitap.h
test_preload_libclients_la_CPPFLAGS = $(mpi_cppflags)
endif HAVE_PNETCDF

TESTS += test/preload/clients.sh test/preload/layout.sh test/preload/preload.sh test/preload/openmpi-preload.sh
NIGHTLY += test/preload/suite.sh test/preload/openmpi-clients.sh test/preload/openmpi-suite.sh
endif HAVE_PRELOAD
