/* Mistyped words: optimal string alignment. */

#include "nearest.h"

#include <limits.h>
#include <string.h>

enum { LETTERS = 64 };

static int least(int one, int other)
{
    return one < other ? one : other;
}

int atm_distance(const char *one, const char *other)
{
    size_t length = strlen(one), width = strlen(other);
    int rows[3][LETTERS], *before = rows[0], *last = rows[1], *row = rows[2], *free_row;

    if (length >= LETTERS || width >= LETTERS)
        return INT_MAX;
    for (size_t k = 0; k <= width; k++)
        row[k] = (int) k;
    for (size_t i = 1; i <= length; i++) {
        free_row = before;
        before = last;
        last = row;
        row = free_row;
        row[0] = (int) i;
        for (size_t k = 1; k <= width; k++) {
            row[k] =
                least(least(last[k], row[k - 1]) + 1, last[k - 1] + (one[i - 1] != other[k - 1]));
            if (i > 1 && k > 1 && one[i - 1] == other[k - 2] && one[i - 2] == other[k - 1])
                row[k] = least(row[k], before[k - 2] + 1);
        }
    }
    return row[width];
}

const char *atm_nearest(const char *word, const char *const *words, size_t count, int most)
{
    const char *nearest = NULL;

    for (size_t i = 0; i < count; i++) {
        int distance = atm_distance(word, words[i]);

        if (distance > most)
            continue;
        nearest = words[i];
        most = distance - 1;
    }
    return nearest;
}
