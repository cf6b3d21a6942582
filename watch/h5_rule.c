/* Which rule of advice holds for a file: the driver's search (ad_autotune_files.c), for files of
 * HDF5.  Advice is read at each open: there is nothing to share between threads. */

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "choose/advise.h"
#include "process_facts.h"
#include "files/job.h"
#include "files/program_name.h"
#include "files/search.h"
#include "files/user.h"
#include "h5_tune.h"
#include "mpi_abi.h"

enum { H5_WRITES = 1 }; /* H5F_ACC_RDWR */

void atw_h5_complain(const char *sentence)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    int rank, ranks;

    atw_facts_rank(&rank, &ranks);
    if (rank <= 0 && !atomic_flag_test_and_set(&said))
        fprintf(stderr, "romio-autotune: hdf5: %s\n", sentence);
}

/* --- who */

static void find_program(size_t size, char *name_p)
{
    char exe[PATH_MAX], arguments[4096];
    ssize_t length = readlink("/proc/self/exe", exe, sizeof(exe) - 1), got = 0;
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);

    exe[length > 0 ? length : 0] = '\0';
    if (fd >= 0) {
        got = read(fd, arguments, sizeof(arguments));
        close(fd);
    }
    atm_program_name(exe, arguments, got > 0 ? (size_t) got : 0, size, name_p);
}

/* As the driver's: a process that no job is known of is one. */
static double draw_of_job(void)
{
    char job[320];

    snprintf(job, sizeof(job), "%s", atm_job_id());
    if (job[0] == '\0') {
        gethostname(job, 256);
        job[255] = '\0';
        snprintf(job + strlen(job), 32, ":%ld", (long) getpid());
    }
    return atm_advice_draw(job);
}

/* --- the file of advice */

/* False: there is none; path "" in seen, too. */
static bool find_file(const atw_h5_job *job, const char *named, atm_seen *seen_p)
{
    char hint[4096];
    const atm_search_values values = {.hint = named[0] != '\0' ? named : hint,
                                      .environment = secure_getenv("ROMIO_AUTOTUNE_ADVICE"),
                                      .xdg_config = secure_getenv("XDG_CONFIG_HOME"),
                                      .home = secure_getenv("HOME"),
                                      .sysconfdir = ATW_SYSCONFDIR,
                                      .file = ATM_ADVICE_FILE};
    atm_status status;

    atw_h5_job_hint(job, "romio_autotune_advice", sizeof(hint), hint);
    status = atm_search_see(&values, seen_p);
    if (status == ATM_BAD_ARGUMENT)
        atw_h5_complain("the path of the advice is too long");
    return status == ATM_OK && seen_p->path[0] != '\0';
}

static atm_advice *load(const char *path)
{
    atm_message message = {""};
    atm_advice *advice;
    atm_status status = atm_advice_load(path, &message, &advice);

    if (status == ATM_OK)
        return advice;
    atw_h5_complain(message.text[0] != '\0' ? message.text : atm_status_text(status));
    return NULL;
}

/* --- the rule */

static int match(const atm_advice *advice, const atw_h5_job *job, const atw_lists *lists)
{
    char program[256], user[256];
    atm_occasion occasion = {.program = program,
                             .user = user,
                             .file = job->mpi ? atw_mpi_path(lists->name) : lists->name,
                             .write = lists->creates || (lists->flags & H5_WRITES) != 0,
                             .ranks = job->ranks,
                             .draw = draw_of_job()};

    find_program(sizeof(program), program);
    atm_user_name(sizeof(user), user);
    return atm_advice_match_file(advice, &occasion);
}

static bool is_for_hdf5(const atm_settings *set)
{
    for (int i = ATM_SET_HDF5_ALIGNMENT; i < ATM_SETTING_COUNT; i++)
        if (set->has[i])
            return true;
    return false;
}

/* "stderr", "stderr:json" or a path, which may be the driver's pattern of one. */
static void find_where(const atw_h5_job *job, size_t size, char *where_p)
{
    const char *variable = secure_getenv("ROMIO_AUTOTUNE_EXPLAIN");
    int rank, ranks;

    atw_facts_rank(&rank, &ranks);
    if (!job->mpi && rank > 0) /* the first of the program tells of the file, or of its own */
        return;
    atw_h5_job_hint(job, "romio_autotune_explain", size, where_p);
    if (where_p[0] == '\0' && variable != NULL)
        snprintf(where_p, size, "%s", variable);
}

void atw_h5_find_rule(const atw_h5_job *job, const atw_lists *lists, const char *named,
                      atw_h5_rule *rule_p, atw_h5_told *told_p)
{
    atm_seen seen;
    atm_advice *advice = find_file(job, named, &seen) ? load(seen.path) : NULL;
    int number = advice != NULL ? match(advice, job, lists) : -1;
    uint32_t hints = 0;

    rule_p->number = advice != NULL ? ATW_H5_NO_RULE : ATW_H5_NO_ADVICE;
    if (number >= 0)
        hints = atw_h5_hints(job, lists->name, lists->creates, &advice->rules[number].set);
    if (number >= 0 && (hints != 0 || is_for_hdf5(&advice->rules[number].set))) {
        const atm_advised advised = {.advice = advice, .rule = number};

        *rule_p = (atw_h5_rule){.number = number, .hints = hints, .set = advice->rules[number].set};
        snprintf(told_p->advice, sizeof(told_p->advice), "%s", seen.path);
        atm_advised_say(&advised, sizeof(told_p->rule), told_p->rule);
        find_where(job, sizeof(told_p->where), told_p->where);
    }
    atm_advice_destroy(advice);
}
