/* Contents that tell their place. */

#include "workload.h"

#include <stdio.h>
#include <string.h>

#include "common/rng.h"

/*
 * The word at offset 8 * index: rng_next is a bijection, so
 * that no two words of a file are equal.  Sets differ by more words than a set has.
 */
static uint64_t word_at(uint64_t index, unsigned set)
{
    uint64_t state = index + ((uint64_t) set << 48);

    return rng_next(&state);
}

/* The part of a word that begins at offset and has at most `length` bytes. */
static size_t part_at(uint64_t offset, size_t length, unsigned set, unsigned char bytes[8])
{
    uint64_t word = word_at(offset / 8, set);
    size_t skip = offset % 8, part = 8 - skip < length ? 8 - skip : length;

    for (size_t i = 0; i < part; i++)
        bytes[i] = (unsigned char) (word >> (8 * (skip + i)));
    return part;
}

void workload_fill(void *buffer, size_t length, uint64_t offset, unsigned set)
{
    unsigned char *out = buffer, bytes[8];

    for (size_t at = 0, part; at < length; at += part) {
        part = part_at(offset + at, length - at, set, bytes);
        memcpy(out + at, bytes, part);
    }
}

size_t workload_wrong(const void *buffer, size_t length, uint64_t offset, unsigned set,
                      size_t *first_p)
{
    const unsigned char *in = buffer;
    unsigned char bytes[8];
    size_t wrong = 0;

    for (size_t at = 0, part; at < length; at += part) {
        part = part_at(offset + at, length - at, set, bytes);
        if (memcmp(in + at, bytes, part) == 0)
            continue;
        for (size_t i = 0; i < part; i++)
            if (in[at + i] != bytes[i] && wrong++ == 0)
                *first_p = at + i;
    }
    return wrong;
}

bool workload_verdict(const workload *w, uint64_t wrong, uint64_t first, const char *where)
{
    uint64_t all_wrong, first_of_all;

    first = wrong > 0 ? first : UINT64_MAX;
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&first, &first_of_all, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    if (all_wrong > 0 && w->rank == 0)
        fprintf(stderr, "%s: %s%s%llu bytes are wrong, the first at %llu\n", w->file,
                where != NULL ? where : "", where != NULL ? ": " : "",
                (unsigned long long) all_wrong, (unsigned long long) first_of_all);
    return all_wrong == 0;
}
