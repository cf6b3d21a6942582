/*
 * Allocations that fail: those of the library's own code, which is linked with --wrap
 * for malloc, calloc, realloc and strdup, and if everybody is set also those of shared
 * libraries.
 */

#ifndef MEMORY_HELP_H
#define MEMORY_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static long left = -1; /* allocations until one fails; negative: none does */

static bool fails(void)
{
    return left >= 0 && left-- == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

static bool everybody;

#ifdef __GLIBC__
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
    return everybody && fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return everybody && fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return everybody && fails() ? NULL : __libc_realloc(old, size);
}
#endif

/* The n-th time, the n-th allocation of the call fails; done when none did. */
#define FAIL_EACH(call, undo)                                                                      \
    do {                                                                                           \
        atm_status status = ATM_NO_MEMORY;                                                         \
        long tries;                                                                                \
        for (tries = 0; status; tries++) {                                                         \
            left = tries;                                                                          \
            status = call;                                                                         \
            if (left >= 0) /* too few for it to fail */                                            \
                assert_int_equal(status, ATM_OK);                                                  \
            else                                                                                   \
                assert_int_equal(status, ATM_NO_MEMORY);                                           \
            left = -1;                                                                             \
        }                                                                                          \
        assert_true(tries > 2);                                                                    \
        undo;                                                                                      \
    } while (0)

#endif /* MEMORY_HELP_H */
