/* What the tests of where jobs run share: data files, a scratch file, hosts of a
 * list, random numbers. */

#ifndef WHERE_HELP_H
#define WHERE_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "place/hostlist.h"
#include "place/where.h"

enum { CASES = 10000, HOSTS_MAX = 1024, PATH_ROOM = 512 };

static inline const char *data(const char *name)
{
    static char path[PATH_ROOM];
    const char *top = getenv("top_srcdir");

    snprintf(path, sizeof(path), "%s/test/unit/models/data/topologies/%s", top ? top : ".", name);
    return path;
}

static char scratch[] = "/tmp/test_where.XXXXXX";

static int scratch_file;

/* Not replaced by fopen: some file systems then wait for the disk. */
static inline void write_scratch(const void *text, size_t length)
{
    assert_int_equal(pwrite(scratch_file, text, length, 0), length);
    assert_int_equal(ftruncate(scratch_file, (off_t) length), 0);
}

/* The hosts of a list, each for `each` ranks in a row. */
typedef struct hosts {
    char names[HOSTS_MAX * 32];
    const char *host[HOSTS_MAX * 16];
    int ranks;
} hosts;

static inline void hosts_make(const char *list, int each, hosts *hosts_p)
{
    atm_hostlist_size size;
    char *name = hosts_p->names, *end;

    assert_null(atm_hostlist_measure(list, strlen(list), &size));
    assert_true(size.bytes <= sizeof(hosts_p->names) && size.hosts <= HOSTS_MAX && each <= 16);
    end = atm_hostlist_write(list, strlen(list), name);
    hosts_p->ranks = 0;
    for (; name < end; name += strlen(name) + 1)
        for (int i = 0; i < each; i++)
            hosts_p->host[hosts_p->ranks++] = name;
}

/* place, with the reason that it must give */
static inline atm_topology *expect(const atm_job_place *place, atm_where where, const char *reason)
{
    atm_message said = {""};
    atm_topology *topology = NULL;
    atm_where found;

    assert_int_equal(atm_topology_of_job(place, &said, &found, &topology), ATM_OK);
    if (reason != NULL)
        assert_string_equal(said.text, reason);
    assert_int_equal(found, where);
    assert_int_equal(topology->ranks, place->ranks);
    return topology;
}

/* The end of a path as messages have it. */
static inline const char *short_path(const char *path)
{
    static char text[64];
    size_t length = strlen(path);

    snprintf(text, sizeof(text), length < 64 ? "%.63s" : "...%.60s",
             length < 64 ? path : path + length - 60);
    return text;
}

static uint64_t seed;

static inline int random_below(int limit)
{
    seed ^= seed << 13; /* xorshift64 */
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (int) (seed % (uint64_t) limit);
}

/* --- the scratch file exists while a group of tests runs */

static inline int start(void **state)
{
    (void) state;
    scratch_file = mkstemp(scratch);
    return scratch_file < 0;
}

static inline int end(void **state)
{
    (void) state;
    return close(scratch_file) != 0 || unlink(scratch) != 0;
}

#endif /* WHERE_HELP_H */
