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

mpi_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/test $(MPI_CPPFLAGS)

# Programs that are watched have nothing that they do not use.
test/tools/% test/watch/%: LDADD = -lpthread

# --- the tree itself, and units that need no MPI

TESTS += test/tree/format.sh test/tree/links.sh test/tree/commands.sh test/tree/build.sh test/tree/needs.sh test/tree/dist.sh test/tree/install.sh \
    test/tree/modules.sh test/tree/packages.sh test/tree/recipes.sh test/tree/tap.sh test/unit/adio/adio.sh
TESTS += test/tree/portability/portability.sh test/tree/portability/processors.sh
NIGHTLY += test/tree/upstream.sh
check_PROGRAMS += patches/upstream/test/autotune
patches_upstream_test_autotune_SOURCES = patches/upstream/test/autotune.c
patches_upstream_test_autotune_CPPFLAGS = $(mpi_cppflags)
patches_upstream_test_autotune_LDADD = $(MPI_LIBS)
check_PROGRAMS += test/unit/adio/test_name test/unit/adio/test_nics test/unit/adio/test_access \
    test/unit/adio/test_any_access
test_unit_adio_test_name_SOURCES = test/unit/adio/test_name.c ad_autotune/ad_autotune_name.c
test_unit_adio_test_name_CPPFLAGS = -D_GNU_SOURCE $(AM_CPPFLAGS) -I$(top_srcdir)/ad_autotune
test_unit_adio_test_name_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_adio_test_name_LDADD = $(CMOCKA_LIBS)
test_unit_adio_test_access_SOURCES = test/unit/adio/test_access.c adio/atc.h adio/atc_access.c
test_unit_adio_test_access_CPPFLAGS = $(mpi_cppflags)
test_unit_adio_test_access_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_adio_test_access_LDADD = $(CMOCKA_LIBS) $(MPI_LIBS)
test_unit_adio_test_any_access_SOURCES = test/unit/adio/test_any_access.c adio/atc.h adio/atc_access.c
test_unit_adio_test_any_access_CPPFLAGS = -D_GNU_SOURCE $(mpi_cppflags) -I$(top_srcdir)/models
test_unit_adio_test_any_access_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_adio_test_any_access_LDADD = models/libatm.la $(CMOCKA_LIBS) $(MPI_LIBS) -lm
test_unit_adio_test_nics_SOURCES = test/unit/adio/test_nics.c adio/atc.h adio/atc_nics.c
test_unit_adio_test_nics_CPPFLAGS = $(mpi_cppflags)
test_unit_adio_test_nics_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_unit_adio_test_nics_LDADD = $(CMOCKA_LIBS)

# --- stand-ins for Lustre, GPFS and NFS

TESTS += test/grounds/standin/standin.sh
check_LTLIBRARIES += test/grounds/standin/standin.la
test_grounds_standin_standin_la_SOURCES = test/grounds/standin/standin.h \
    test/grounds/standin/standin_calls.c test/grounds/standin/standin_config.c test/grounds/standin/standin_layout.c \
    test/grounds/standin/standin_lustre.c test/grounds/standin/standin_default.c test/grounds/standin/standin_client.c \
    test/grounds/standin/standin_descriptors.c test/grounds/standin/standin_obd.c test/grounds/standin/standin_stat.c
test_grounds_standin_standin_la_LDFLAGS = -module -avoid-version -shared -rpath /not/installed
test_grounds_standin_standin_la_LIBADD = -ldl -lpthread

check_PROGRAMS += test/grounds/standin/test_standin
test_grounds_standin_test_standin_SOURCES = test/grounds/standin/test_standin.c test/grounds/standin/test_standin.h \
    test/grounds/standin/test_standin_lustre.c test/grounds/standin/test_standin_late.c \
    test/grounds/standin/test_standin_default.c test/grounds/standin/test_standin_clients.c
test_grounds_standin_test_standin_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_grounds_standin_test_standin_LDADD = $(CMOCKA_LIBS)

include test/grounds/standin/Makefile.mk
include test/grounds/lustre/Makefile.mk

# --- the driver

TESTS += test/tree/symbols.sh test/tree/circles.sh test/driver/newer.sh test/driver/driver.sh \
    test/driver/late.sh test/driver/small.sh test/driver/correct.sh test/driver/record.sh test/driver/said.sh test/driver/bad-striping.sh test/driver/sanitize.sh
NIGHTLY += test/driver/memory.sh
check_DATA += mpich-sanitized.stamp
check_PROGRAMS += test/driver/names test/driver/hints test/driver/modes test/driver/opens \
    test/driver/sync test/driver/small test/driver/fallback test/driver/late test/driver/layouts test/driver/correct test/driver/record test/driver/nodemap
test_driver_names_SOURCES = test/driver/names.c test/driver/common.h test/mpitap.h
test_driver_names_CPPFLAGS = $(mpi_cppflags)
test_driver_names_LDADD = $(MPI_LIBS)
test_driver_hints_SOURCES = test/driver/hints.c test/driver/common.h test/mpitap.h
test_driver_hints_CPPFLAGS = $(mpi_cppflags)
test_driver_hints_LDADD = $(MPI_LIBS)
test_driver_modes_SOURCES = test/driver/modes.c test/driver/common.h test/mpitap.h
test_driver_modes_CPPFLAGS = $(mpi_cppflags)
test_driver_modes_LDADD = $(MPI_LIBS)
test_driver_opens_SOURCES = test/driver/opens.c test/driver/common.h test/mpitap.h
test_driver_opens_CPPFLAGS = $(mpi_cppflags)
test_driver_opens_LDADD = $(MPI_LIBS)
test_driver_sync_SOURCES = test/driver/sync.c test/driver/common.h test/mpitap.h
test_driver_sync_CPPFLAGS = $(mpi_cppflags) -D_GNU_SOURCE
test_driver_sync_LDADD = $(MPI_LIBS) -ldl
test_driver_small_SOURCES = test/driver/small.c test/driver/common.h test/mpitap.h
test_driver_small_CPPFLAGS = $(mpi_cppflags)
test_driver_small_LDADD = $(MPI_LIBS)
test_driver_fallback_SOURCES = test/driver/fallback.c test/driver/common.h test/mpitap.h
test_driver_fallback_CPPFLAGS = $(mpi_cppflags)
test_driver_fallback_LDADD = $(MPI_LIBS)
test_driver_late_SOURCES = test/driver/late.c test/driver/common.h test/mpitap.h
test_driver_late_CPPFLAGS = $(mpi_cppflags)
test_driver_late_LDADD = $(MPI_LIBS)
test_driver_layouts_SOURCES = test/driver/layouts.c test/driver/layouts.h test/driver/common.h test/mpitap.h
test_driver_layouts_CPPFLAGS = $(mpi_cppflags) -D_GNU_SOURCE
test_driver_layouts_LDADD = $(MPI_LIBS) -ldl
test_driver_correct_SOURCES = test/driver/correct.c test/driver/common.h test/mpitap.h
test_driver_correct_CPPFLAGS = $(mpi_cppflags)
test_driver_correct_LDADD = $(MPI_LIBS)
test_driver_record_SOURCES = test/driver/record.c test/mpitap.h
test_driver_record_CPPFLAGS = $(mpi_cppflags)
test_driver_record_LDADD = $(MPI_LIBS)
test_driver_nodemap_SOURCES = test/driver/nodemap.c test/mpitap.h \
    adio/atc.h adio/atc_agree.c adio/atc_cache.c adio/atc_nodemap.c
test_driver_nodemap_CPPFLAGS = $(mpi_cppflags)
test_driver_nodemap_LDADD = $(MPI_LIBS)

# --- ROMIO's and MPICH's own test programs

TESTS += test/driver/suite/suite.sh

# --- random accesses, compared byte for byte

TESTS += test/driver/random/random.sh
check_PROGRAMS += test/driver/random/random
test_driver_random_random_SOURCES = test/driver/random/random.c test/driver/random/random.h test/driver/random/case.c \
    test/driver/random/layout.c test/driver/random/image.c test/driver/random/calls.c test/driver/random/run.c \
    test/driver/random/compare.c test/driver/random/rng.c
test_driver_random_random_CPPFLAGS = $(mpi_cppflags)
test_driver_random_random_LDADD = $(MPI_LIBS) -lm

# --- real clients

TESTS += test/driver/clients/hdf5.sh
if HAVE_HDF5
check_PROGRAMS += test/driver/clients/hdf5
test_driver_clients_hdf5_SOURCES = test/driver/clients/hdf5.c
test_driver_clients_hdf5_CPPFLAGS = $(mpi_cppflags) $(HDF5_CPPFLAGS)
test_driver_clients_hdf5_LDADD = $(HDF5_LIBS) $(MPI_LIBS)
endif

# --- a small cluster

include test/grounds/cluster/Makefile.mk

# --- other releases of Debian

include test/grounds/debians/Makefile.mk

# --- benchmarks, not part of the checks: make bench [BENCH_OPTIONS="..."]

EXTRA_PROGRAMS = test/bench/overhead
test_bench_overhead_SOURCES = test/bench/overhead.c test/bench/overhead.h \
    test/bench/overhead_work.c test/bench/overhead_stats.c
test_bench_overhead_CPPFLAGS = $(mpi_cppflags)
test_bench_overhead_LDADD = $(MPI_LIBS) -lm

bench: all test/bench/overhead test/bench/redecide test/grounds/standin/standin.la
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(top_srcdir)/test/bench/overhead.sh $(BENCH_OPTIONS)

clean-local:
	rm -rf test/driver/suite/bin test/driver/suite/results test/driver/suite/table.txt test/preload/mpich-suite test/preload/openmpi-suite

.PHONY: bench

include test/driver/Makefile.mk
include test/preload/Makefile.mk
include test/watch/Makefile.mk
include test/unit/Makefile.mk
include test/fuzz/Makefile.mk
include test/bench/Makefile.mk
