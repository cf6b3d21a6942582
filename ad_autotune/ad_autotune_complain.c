#include "ad_autotune_report.h"

#include "adioi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Few users look at the status of a file: what is wrong is also said on stderr, by one process of
 * the job, once.  Called under ROMIO's lock.
 */

enum { SAID = 32 }; /* more is too much for anybody to read */

static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char) *text) * UINT64_C(0x100000001b3);
    return hash;
}

void ADIOI_AUTOTUNE_say_once(const char *text)
{
    static uint64_t said[SAID];
    static int count;
    uint64_t hash = hash_of(text);
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0 || count == SAID)
        return;
    for (int i = 0; i < count; i++)
        if (said[i] == hash)
            return;
    said[count++] = hash;
    fprintf(stderr, "romio-autotune: %s\n", text);
}

void ADIOI_AUTOTUNE_variable(const char *key, char *variable_p)
{
    size_t i;

    for (i = 0; key[i] != '\0'; i++)
        variable_p[i] = (char) (key[i] >= 'a' && key[i] <= 'z' ? key[i] - 'a' + 'A' : key[i]);
    variable_p[i] = '\0';
}

void ADIOI_AUTOTUNE_refuse(char *notes, size_t size, const char *key, const char *value,
                           const char *why)
{
    char variable[MPI_MAX_INFO_KEY + 1], text[1024];
    const char *set;

    ADIOI_AUTOTUNE_variable(key, variable);
    set = secure_getenv(variable);
    snprintf(text, sizeof(text), "%s=%.256s is ignored: %s",
             set != NULL && strcmp(set, value) == 0 ? variable : key, value, why);
    ADIOI_AUTOTUNE_say_once(text);
    ADIOI_AUTOTUNE_note(notes, size, key, value, why);
}
