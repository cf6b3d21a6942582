/* The command line of autotune calibrate. */

#include "verb_calibrate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHER = 5 }; /* words of that of an allocation */

bool calibrate_is_launched(void)
{
    static const char *const names[] = {"PMI_RANK", "PMI_FD", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (getenv(names[i]) != NULL)
            return true;
    return false;
}

static int number_of(const char *variable)
{
    const char *text = getenv(variable);
    long number = text != NULL ? strtol(text, NULL, 10) : 0;

    return number > 0 && number < 1000000 ? (int) number : 1;
}

/* A rank for each core, unless the submission says otherwise; MPICH's mpiexec starts them through
 * Slurm.  Returns the number of words: 0 outside an allocation. */
static int launch_in_allocation(char **start)
{
    static char all[16], each[16], *launcher[LAUNCHER] = {"mpiexec", "-n", all, "-ppn", each};
    const char *wish = "SLURM_NTASKS_PER_NODE";
    int per_node = number_of(getenv(wish) != NULL ? wish : "SLURM_CPUS_ON_NODE");

    if (getenv("SLURM_JOB_NUM_NODES") == NULL || calibrate_is_launched())
        return 0;
    snprintf(all, sizeof(all), "%d", number_of("SLURM_JOB_NUM_NODES") * per_node);
    snprintf(each, sizeof(each), "%d", per_node);
    memcpy(start, launcher, sizeof(launcher));
    return LAUNCHER;
}

static bool is_option(const char *word, const char *name)
{
    size_t length = strlen(name);

    return strncmp(word, name, length) == 0 && (word[length] == '\0' || word[length] == '=');
}

/* How many words from this one on are for the command itself. */
static int own_words(const char *word, bool last)
{
    static const char *const flags[] = {"--help", "--version"};
    static const char *const values[] = {"--dir", "--budget", "--to", "--install"};

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        if (is_option(word, values[i]))
            return strchr(word, '=') != NULL || last ? 1 : 2;
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
        if (is_option(word, flags[i]))
            return 1;
    return 0;
}

bool calibrate_part(int argc, char **argv, calibrate_words *words_p)
{
    size_t room = (size_t) argc + LAUNCHER + 1;
    calibrate_words words = {.own = calloc(3 * room, sizeof(char *))};
    int i = 1;

    if (words.own == NULL)
        return false;
    words.rest = words.own + room;
    words.start = words.rest + room;
    words.own[words.own_count++] = argv[0];
    while (i < argc && strcmp(argv[i], "--") != 0) {
        int own = own_words(argv[i], i + 1 == argc);

        if (own == 0)
            words.rest[words.rest_count++] = argv[i++];
        while (own-- > 0)
            words.own[words.own_count++] = argv[i++];
    }
    while (i + 1 < argc)
        words.start[words.start_count++] = argv[++i];
    if (words.start_count == 0)
        words.start_count = launch_in_allocation(words.start);
    *words_p = words;
    return true;
}

void calibrate_forget(calibrate_words *words)
{
    free(words->own);
}

bool calibrate_has(const calibrate_words *words, const char *option)
{
    for (int i = 0; i < words->rest_count; i++)
        if (is_option(words->rest[i], option))
            return true;
    return false;
}

char **calibrate_join(const calibrate_words *words, char *program, const char *const *more)
{
    int more_count = 0, count = 0;
    char **all;

    while (more[more_count] != NULL)
        more_count++;
    all =
        calloc((size_t) (words->start_count + words->rest_count + more_count + 2), sizeof(char *));
    if (all == NULL)
        return NULL;
    for (int i = 0; i < words->start_count; i++)
        all[count++] = words->start[i];
    all[count++] = program;
    for (int i = 0; i < words->rest_count; i++)
        all[count++] = words->rest[i];
    for (int i = 0; i < more_count; i++)
        all[count++] = (char *) more[i];
    return all;
}
