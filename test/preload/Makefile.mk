## The preload library: its answers about datatypes, and programs of MPI libraries that are not ours.

if HAVE_PRELOAD
check_DATA += preload/libromio-autotune.so
if HAVE_OPENMPI
check_DATA += preload/libromio-autotune-openmpi.so
endif HAVE_OPENMPI
check_PROGRAMS += test/preload/calls test/preload/loader test/preload/test_layout
test_preload_calls_LDADD = $(mpi_libs)
test_preload_loader_LDADD = -ldl
test_preload_test_layout_SOURCES = test/preload/test_layout.c preload/layout.c
test_preload_test_layout_LDADD = $(mpi_libs)

# Only compiled here: preload.sh links it with Open MPI.
check_LTLIBRARIES += test/preload/libleft.la
test_preload_libleft_la_SOURCES = test/preload/left.c

# Only compiled here: clients.sh links it with the MPI library of PnetCDF's.
if HAVE_PNETCDF
check_LTLIBRARIES += test/preload/libclients.la
test_preload_libclients_la_SOURCES = test/preload/pnetcdf.c
endif HAVE_PNETCDF

TESTS += test/preload/clients.sh test/preload/layout.sh test/preload/preload.sh test/preload/openmpi-preload.sh
NIGHTLY += test/preload/suite.sh test/preload/openmpi-clients.sh test/preload/openmpi-suite.sh
endif HAVE_PRELOAD
