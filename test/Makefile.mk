## Every test is a shell script that prints TAP; test/lib.sh is what they share.

TEST_EXTENSIONS = .sh
SH_LOG_DRIVER = $(SHELL) $(top_srcdir)/test/log-driver $(top_srcdir)/build-aux/tap-driver.sh '$(AWK)'
AM_TESTS_ENVIRONMENT = \
    MPIEXEC='$(bindir)/mpiexec' MPICC='$(bindir)/mpicc' LIBDIR='$(libdir)' \
    MPICH_SOURCE='$(mpich)/source' MPICH_BUILD='$(mpich)/main' \
    SANITIZED='$(mpich)/sanitized/lib/.libs' SANITIZERS='$(sanitizers)' \
    AUTOTUNE_FULL='$(AUTOTUNE_FULL)' AUTOTUNE_COMPLETE='$(AUTOTUNE_COMPLETE)' \
    AUTOTUNE_VERSION='$(PACKAGE_VERSION)' \
    top_srcdir='$(abs_top_srcdir)' top_builddir='$(abs_top_builddir)'; \
    export MPIEXEC MPICC LIBDIR MPICH_SOURCE MPICH_BUILD SANITIZED SANITIZERS AUTOTUNE_FULL \
    AUTOTUNE_COMPLETE AUTOTUNE_VERSION top_srcdir top_builddir;

# What is linked with what, where it is not the models: programs that are watched have nothing that
# they do not use.
mpi_libs = $(MPI_LIBS) -ldl -lpthread -lm
patches/upstream/% test/driver/% test/grounds/cluster/%: LDADD = $(mpi_libs)
test/tools/% test/watch/%: LDADD = -lpthread

# --- the tree itself, and units that need no MPI

TESTS += test/tree/format.sh test/tree/links.sh test/tree/commands.sh test/tree/build.sh test/tree/needs.sh test/tree/dist.sh test/tree/install.sh \
    test/tree/modules.sh test/tree/packages.sh test/tree/recipes.sh test/tree/tap.sh test/tree/formats.sh test/unit/adio/adio.sh
TESTS += test/tree/portability/portability.sh test/tree/portability/processors.sh
NIGHTLY += test/tree/upstream.sh
check_PROGRAMS += patches/upstream/test/autotune
check_PROGRAMS += test/unit/adio/test_name test/unit/adio/test_nics test/unit/adio/test_access \
    test/unit/adio/test_any_access
test_unit_adio_test_name_SOURCES = test/unit/adio/test_name.c ad_autotune/ad_autotune_name.c
test_unit_adio_test_nics_SOURCES = test/unit/adio/test_nics.c adio/atc_nics.c
test_unit_adio_test_access_SOURCES = test/unit/adio/test_access.c adio/atc_access.c
test_unit_adio_test_access_LDADD = $(CMOCKA_LIBS) $(MPI_LIBS)
test_unit_adio_test_any_access_SOURCES = test/unit/adio/test_any_access.c adio/atc_access.c
test_unit_adio_test_any_access_LDADD = models/libatm.la $(CMOCKA_LIBS) $(MPI_LIBS) -lm

# --- stand-ins for Lustre, GPFS and NFS

include test/grounds/standin/Makefile.mk
include test/grounds/lustre/Makefile.mk

# --- the driver

TESTS += test/tree/symbols.sh test/tree/circles.sh test/driver/newer.sh test/driver/driver.sh \
    test/driver/late.sh test/driver/small.sh test/driver/correct.sh test/driver/record.sh test/driver/said.sh test/driver/bad-striping.sh test/driver/sanitize.sh
NIGHTLY += test/driver/memory.sh
check_DATA += mpich-sanitized.stamp
check_PROGRAMS += test/driver/names test/driver/hints test/driver/modes test/driver/opens \
    test/driver/sync test/driver/small test/driver/fallback test/driver/late test/driver/layouts test/driver/correct test/driver/record test/driver/nodemap
test_driver_nodemap_SOURCES = test/driver/nodemap.c adio/atc_agree.c adio/atc_cache.c adio/atc_nodemap.c

# --- ROMIO's and MPICH's own test programs

TESTS += test/driver/suite/suite.sh

# --- random accesses, compared byte for byte

TESTS += test/driver/random/random.sh
check_PROGRAMS += test/driver/random/random
test_driver_random_random_SOURCES = test/driver/random/random.c test/driver/random/case.c test/driver/random/layout.c \
    test/driver/random/image.c test/driver/random/calls.c test/driver/random/run.c test/driver/random/compare.c \
    test/driver/random/rng.c

# --- real clients

TESTS += test/driver/clients/hdf5.sh
if HAVE_HDF5
check_PROGRAMS += test/driver/clients/hdf5
test_driver_clients_hdf5_CPPFLAGS = $(AM_CPPFLAGS) $(HDF5_CPPFLAGS)
test_driver_clients_hdf5_LDADD = $(HDF5_LIBS) $(mpi_libs)
endif

# --- a small cluster

include test/grounds/cluster/Makefile.mk

# --- other releases of Debian

include test/grounds/debians/Makefile.mk

clean-local:
	rm -rf test/driver/suite/bin test/driver/suite/results test/driver/suite/table.txt test/preload/mpich-suite test/preload/openmpi-suite

include test/driver/Makefile.mk
include test/preload/Makefile.mk
include test/watch/Makefile.mk
include test/unit/Makefile.mk
include test/fuzz/Makefile.mk
include test/bench/Makefile.mk
