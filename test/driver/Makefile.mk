## Decisions: what they lead to, where, and when all goes wrong.

TESTS += test/driver/tuned.sh test/driver/alone.sh test/driver/placed.sh test/driver/caches.sh test/driver/life.sh \
    test/driver/faults.sh
check_PROGRAMS += test/driver/truth test/driver/alone test/driver/states test/driver/threads test/driver/placed \
    test/driver/caches test/driver/life test/driver/fault
test_driver_truth_SOURCES = test/driver/truth.c test/driver/traced.h test/driver/common.h test/mpitap.h
test_driver_truth_CPPFLAGS = $(mpi_cppflags)
test_driver_truth_LDADD = $(MPI_LIBS) -ldl
test_driver_alone_SOURCES = test/driver/alone.c test/driver/common.h test/mpitap.h
test_driver_alone_CPPFLAGS = $(mpi_cppflags)
test_driver_alone_LDADD = $(MPI_LIBS)
test_driver_states_SOURCES = test/driver/states.c test/driver/common.h test/mpitap.h
test_driver_states_CPPFLAGS = $(mpi_cppflags)
test_driver_states_LDADD = $(MPI_LIBS)
test_driver_threads_SOURCES = test/driver/threads.c test/driver/common.h test/mpitap.h
test_driver_threads_CPPFLAGS = $(mpi_cppflags)
test_driver_threads_LDADD = $(MPI_LIBS) -lpthread
test_driver_placed_SOURCES = test/driver/placed.c test/driver/common.h test/mpitap.h
test_driver_placed_CPPFLAGS = $(mpi_cppflags)
test_driver_placed_LDADD = $(MPI_LIBS)
test_driver_life_SOURCES = test/driver/life.c test/driver/common.h test/mpitap.h
test_driver_life_CPPFLAGS = $(mpi_cppflags)
test_driver_life_LDADD = $(MPI_LIBS)
test_driver_caches_SOURCES = test/driver/caches.c test/driver/common.h test/mpitap.h
test_driver_caches_CPPFLAGS = $(mpi_cppflags)
test_driver_caches_LDADD = $(MPI_LIBS)
test_driver_fault_SOURCES = test/driver/fault.c
test_driver_fault_CPPFLAGS = $(mpi_cppflags)
test_driver_fault_LDADD = $(MPI_LIBS) -ldl

# --- orders that ranks come in

TESTS += test/driver/order.sh test/driver/mixed.sh
check_PROGRAMS += test/driver/order test/driver/mixed
test_driver_order_SOURCES = test/driver/order.c test/driver/common.h test/driver/patient.h test/mpitap.h
test_driver_order_CPPFLAGS = $(mpi_cppflags)
test_driver_order_LDADD = $(MPI_LIBS)
test_driver_mixed_SOURCES = test/driver/mixed.c test/driver/mixed_plan.c test/driver/mixed.h \
    test/driver/common.h test/mpitap.h
test_driver_mixed_CPPFLAGS = $(mpi_cppflags) -I$(top_srcdir)/models -I$(top_srcdir)/tools
test_driver_mixed_LDADD = $(MPI_LIBS)

# --- sizes that are set, values that come back

TESTS += test/driver/nfs.sh test/driver/echo.sh
check_PROGRAMS += test/driver/nfs test/driver/echo
test_driver_nfs_SOURCES = test/driver/nfs.c test/driver/common.h test/mpitap.h
test_driver_nfs_CPPFLAGS = $(mpi_cppflags)
test_driver_nfs_LDADD = $(MPI_LIBS) -ldl
test_driver_echo_SOURCES = test/driver/echo.c test/driver/common.h test/mpitap.h
test_driver_echo_CPPFLAGS = $(mpi_cppflags)
test_driver_echo_LDADD = $(MPI_LIBS)

# --- storage of which some is busy

TESTS += test/driver/steer.sh test/driver/warm.sh
check_PROGRAMS += test/driver/steer
test_driver_steer_SOURCES = test/driver/steer.c test/mpitap.h
test_driver_steer_CPPFLAGS = $(mpi_cppflags)
test_driver_steer_LDADD = $(MPI_LIBS)

# --- what measured best so far

TESTS += test/driver/advice.sh
check_PROGRAMS += test/driver/advice
test_driver_advice_SOURCES = test/driver/advice.c test/mpitap.h
test_driver_advice_CPPFLAGS = $(mpi_cppflags)
test_driver_advice_LDADD = $(MPI_LIBS)

# --- files that are opened alone

TESTS += test/driver/self.sh
check_PROGRAMS += test/driver/self
test_driver_self_SOURCES = test/driver/self.c test/driver/common.h test/mpitap.h
test_driver_self_CPPFLAGS = $(mpi_cppflags)
test_driver_self_LDADD = $(MPI_LIBS)

# --- files that are opened again

TESTS += test/driver/again.sh
check_PROGRAMS += test/driver/again
test_driver_again_SOURCES = test/driver/again.c test/driver/common.h test/mpitap.h
test_driver_again_CPPFLAGS = $(mpi_cppflags)
test_driver_again_LDADD = $(MPI_LIBS)

# --- files used inside MPI_Finalize

TESTS += test/driver/finalize.sh
check_PROGRAMS += test/driver/finalize
test_driver_finalize_SOURCES = test/driver/finalize.c test/driver/common.h test/mpitap.h
test_driver_finalize_CPPFLAGS = $(mpi_cppflags)
test_driver_finalize_LDADD = $(MPI_LIBS)
