#include "process_facts.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files/job.h"
#include "files/user.h"

/* --- rank */

static int number_in(const char *const *names, int otherwise)
{
    for (; *names != NULL; names++) {
        const char *value = secure_getenv(*names);
        char *end;
        long number = value != NULL ? strtol(value, &end, 10) : -1;

        if (value != NULL && *value != '\0' && *end == '\0' && number >= 0 && number <= INT_MAX)
            return (int) number;
    }
    return otherwise;
}

void atw_facts_rank(int *rank_p, int *ranks_p)
{
    static const char *const rank[] = {
        "PMI_RANK",    "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID", "MV2_COMM_WORLD_RANK",
        "PALS_RANKID", NULL};
    static const char *const ranks[] = {"PMI_SIZE",     "OMPI_COMM_WORLD_SIZE",
                                        "SLURM_NTASKS", "MV2_COMM_WORLD_SIZE",
                                        "PALS_SIZE",    NULL};

    *rank_p = number_in(rank, -1);
    *ranks_p = *rank_p >= 0 ? number_in(ranks, 0) : 0;
}

/* --- process */

static void member(atw_text *text, const char *key, const char *value)
{
    if (value == NULL || value[0] == '\0')
        return;
    atw_text_key(text, key);
    atw_text_quote(text, value, strlen(value));
}

static void program(atw_text *text)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path));

    if (length <= 0)
        return;
    atw_text_key(text, "program");
    atw_text_quote(text, path, (size_t) length);
}

/* The first 4 KiB. */
static void arguments(atw_text *text)
{
    char words[4096];
    int fd = (int) syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);
    ssize_t length = fd >= 0 ? syscall(SYS_read, fd, words, sizeof(words)) : 0;

    if (fd >= 0)
        syscall(SYS_close, fd);
    atw_text_key(text, "arguments");
    atw_text_say(text, "[");
    for (ssize_t at = 0; at < length;) {
        size_t word = strnlen(words + at, (size_t) (length - at));

        if (at > 0)
            atw_text_say(text, ", ");
        atw_text_quote(text, words + at, word);
        at += (ssize_t) word + 1;
    }
    atw_text_say(text, "]");
}

static void user(atw_text *text)
{
    char name[256];

    atm_user_name(sizeof(name), name);
    member(text, "user", name);
}

void atw_facts(atw_text *text)
{
    char host[65] = "", directory[PATH_MAX];
    int rank, ranks;

    gethostname(host, sizeof(host) - 1);
    atw_text_say(text, "{");
    program(text);
    arguments(text);
    member(text, "host", host);
    user(text);
    if (getcwd(directory, sizeof(directory)) != NULL)
        member(text, "directory", directory);
    member(text, "job", atm_job_id());
    atw_facts_rank(&rank, &ranks);
    if (rank >= 0)
        atw_text_member(text, "rank", rank);
    if (ranks > 0)
        atw_text_member(text, "ranks", ranks);
    atw_text_say(text, "}");
}

/* --- calls */

void atw_facts_calls(atw_text *text)
{
    atw_text_say(text, "[");
    for (unsigned i = 0; i < atw_call_count; i++) {
        const char *layer;

        atw_text_say(text, i > 0 ? ", [" : "[");
        atw_text_quote(text, atw_calls[i].name, strlen(atw_calls[i].name));
        atw_text_say(text, ", ");
        layer = atw_layer_name(atw_calls[i].layer);
        atw_text_quote(text, layer, strlen(layer));
        atw_text_say(text, "]");
    }
    atw_text_say(text, "]");
}
