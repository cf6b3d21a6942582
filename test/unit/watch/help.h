/* For unit tests of watch/: what all include, and calls to make activities of. */

#ifndef WATCH_HELP_H
#define WATCH_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "watch/atw.h"

enum { TEST_READ, TEST_WRITE, TEST_OPEN, TEST_CLOSE, TEST_SYNC, TEST_MPI_READ, TEST_COUNT };

/* Names and order are the test's own. */
#define TEST_CALLS                                                                                 \
    const atw_call_kind atw_calls[] = {                                                            \
        {"pread", ATW_POSIX, ATW_READ, 0}, {"pwrite", ATW_POSIX, ATW_WRITE, 0},                    \
        {"open", ATW_POSIX, ATW_OPEN, 0},  {"close", ATW_POSIX, ATW_CLOSE, 0},                     \
        {"fsync", ATW_POSIX, ATW_SYNC, 0}, {"MPI_File_read_at", ATW_MPI, ATW_READ, 0}};            \
    const unsigned atw_call_count = TEST_COUNT

#endif /* WATCH_HELP_H */
