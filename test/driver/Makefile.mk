## Decisions: what they lead to, where, and when all goes wrong.

TESTS += test/driver/tuned.sh test/driver/alone.sh test/driver/placed.sh test/driver/caches.sh test/driver/life.sh \
    test/driver/faults.sh
check_PROGRAMS += test/driver/truth test/driver/alone test/driver/states test/driver/threads test/driver/placed \
    test/driver/caches test/driver/life test/driver/fault

# --- orders that ranks come in

TESTS += test/driver/order.sh test/driver/mixed.sh
check_PROGRAMS += test/driver/order test/driver/mixed
test_driver_mixed_SOURCES = test/driver/mixed.c test/driver/mixed_plan.c

# --- sizes that are set, values that come back

TESTS += test/driver/nfs.sh test/driver/echo.sh
check_PROGRAMS += test/driver/nfs test/driver/echo

# --- storage of which some is busy

TESTS += test/driver/steer.sh test/driver/warm.sh
check_PROGRAMS += test/driver/steer

# --- what measured best so far

TESTS += test/driver/advice.sh
check_PROGRAMS += test/driver/advice

# --- files that are opened alone

TESTS += test/driver/self.sh
check_PROGRAMS += test/driver/self

# --- files that are opened again

TESTS += test/driver/again.sh
check_PROGRAMS += test/driver/again

# --- files used inside MPI_Finalize

TESTS += test/driver/finalize.sh
check_PROGRAMS += test/driver/finalize
