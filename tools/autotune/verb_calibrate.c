/* autotune calibrate -- mpiexec ...: from a directory to a profile, by the programs that make the
 * steps.  Without a command that starts processes it is autotune-calibrate. */

#include "autotune.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "beside.h"
#include "common/options.h"
#include "verb_calibrate.h"
#include "verb_compare_run.h"
#include "verb_profile.h"

#define FOLDER "autotune-calibration"
#define BUDGET "5min"

typedef enum install_where { ASK, USER, SITE, NOWHERE, WHERE_COUNT } install_where;

static const char *const where_names[WHERE_COUNT] = {"ask", "user", "site", "no"};

typedef struct calibrate_options {
    const char *directory, *budget, *to;
    install_where install;
} calibrate_options;

/* What is made, in the folder. */
typedef struct products {
    char points[PATH_MAX], profile[PATH_MAX], report[PATH_MAX], said[PATH_MAX];
} products;

static const char *set_install(const char *value, void *variables)
{
    calibrate_options *options = variables;

    for (int i = 0; i < WHERE_COUNT; i++)
        if (strcmp(value, where_names[i]) == 0) {
            options->install = (install_where) i;
            return NULL;
        }
    return "must be ask, user, site or no";
}

static const option_entry entries[] = {
    {"dir", "D", "on the file system to measure; made if it is not there", OPTION_TEXT,
     offsetof(calibrate_options, directory), NULL},
    {"budget", "TIME", "for measuring, as 1min or 1h (" BUDGET ")", OPTION_TEXT,
     offsetof(calibrate_options, budget), NULL},
    {"to", "DIR", "for points, profile and report (" FOLDER ")", OPTION_TEXT,
     offsetof(calibrate_options, to), NULL},
    {"install", "WHERE", "user, site, no or, on a terminal, ask (the default)", OPTION_SPECIAL, 0,
     set_install},
    {.name = NULL}};

static const option_table table = {
    "autotune calibrate [options] --dir D -- mpiexec -n N",
    "Measures a file system with the processes that the command starts, learns a profile from\n"
    "that, checks it, tells what it is worth and offers to install it.  Given again, it goes on\n"
    "where it was ended.  In a Slurm allocation the command may be left out.  Other options are\n"
    "those of autotune-calibrate, which it starts.\n",
    entries, NULL};

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "autotune calibrate: %s: %s\n", what, why);
    return 1;
}

/* --- steps */

static bool name_products(const char *folder, products *products_p)
{
    if (strlen(folder) > PATH_MAX - 32)
        return false;
    snprintf(products_p->points, PATH_MAX, "%s/points.json", folder);
    snprintf(products_p->profile, PATH_MAX, "%s/profile.json", folder);
    snprintf(products_p->report, PATH_MAX, "%s/report.html", folder);
    snprintf(products_p->said, PATH_MAX, "%s/train.txt", folder);
    return true;
}

/* A signal that ends the program ends this one, too. */
static int run(char *const *words, int output, const char *what)
{
    atm_message message = {""};
    double seconds;

    if (compare_run(words, output, STDERR_FILENO, &message, &seconds))
        return 0;
    complain(what, message.text);
    return compare_signal() != 0 ? 128 + compare_signal() : 1;
}

static int measure(const calibrate_options *options, const calibrate_words *words,
                   const char *points)
{
    const char *slurm = getenv("SLURM_JOB_NUM_NODES") != NULL ? "--slurm" : NULL;
    const char *const more[] = {
        "--dir", options->directory, "--budget", options->budget, "--out", points, slurm, NULL};
    char program[PATH_MAX], **all;
    int code;

    beside_find("calibrate", NULL, program);
    all = calibrate_join(words, program, more);
    if (all == NULL)
        return complain("the command", atm_status_text(ATM_NO_MEMORY));
    code = run(all, STDOUT_FILENO, "measuring");
    free(all);
    return code;
}

static int train(products *made)
{
    char program[PATH_MAX], name[] = "train", output[] = "--output", report[] = "--report";
    char *const words[] = {program, made->points, output, made->profile,
                           report,  made->report, NULL};
    int file = open(made->said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), code;

    if (file < 0)
        return complain(made->said, strerror(errno));
    beside_find(name, PKGLIBEXECDIR, program);
    code = run(words, file, "training");
    close(file);
    return code;
}

/* What was learned, how far it can be trusted, and what jobs gain. */
static int tell(products *made)
{
    char *files[] = {made->profile};
    int code;

    printf("\n");
    code = profile_check(files, 1);
    if (code == 0)
        code = profile_show(made->profile, true);
    printf("\n%s: what was learned, as a page\n", made->report);
    return code;
}

/* Whether to install it for the user, whose answer ends in a line. */
static bool wants_it(void)
{
    int first, c;

    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return false;
    fputs("install it for yourself, so that the driver uses it? [y/N] ", stderr);
    first = c = getchar();
    while (c != '\n' && c != EOF)
        c = getchar();
    return first == 'y' || first == 'Y';
}

static int install(const calibrate_options *options, const char *profile)
{
    static char verb[] = "install-profile";
    char *site[] = {verb, (char *) profile, NULL};

    if (options->install == SITE)
        return autotune_install(2, site);
    if (options->install == USER || (options->install == ASK && wants_it()))
        return calibrate_install(profile);
    printf("to install it: autotune install-profile --user %s\n", profile);
    return 0;
}

/* --- all of it */

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static int calibrate(const calibrate_options *options, const calibrate_words *words)
{
    products made;
    int code = 0;

    if (!name_products(options->to, &made))
        return options_complain(&table, "--to: the name is too long");
    if (mkdir(options->to, 0777) != 0 && errno != EEXIST)
        return complain(options->to, strerror(errno));
    compare_catch_signals();
    if (exists(made.points) && !calibrate_has(words, "--force"))
        printf("%s is there; --force measures again\n", made.points);
    else
        code = measure(options, words, made.points);
    if (code != 0 || calibrate_has(words, "--dry-run"))
        return code;
    code = train(&made);
    if (code == 0)
        code = tell(&made);
    return code == 0 ? install(options, made.profile) : code;
}

/* As launchers start it, and for one process. */
static int become(char **argv)
{
    char path[PATH_MAX];

    beside_find("calibrate", NULL, path);
    execvp(path, argv);
    complain(path, strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

int autotune_calibrate(int argc, char **argv)
{
    calibrate_options options = {.to = FOLDER, .budget = BUDGET};
    calibrate_words words;
    option_result result;
    int code;

    if (calibrate_is_launched())
        return become(argv);
    if (!calibrate_part(argc, argv, &words))
        return complain("the command", atm_status_text(ATM_NO_MEMORY));
    result = options_parse(&table, words.own_count, words.own, &options);
    if (result != OPTIONS_GO_ON)
        code = result == OPTIONS_HELP ? 0 : 2;
    else if (calibrate_has(&words, "--out"))
        code = options_complain(&table, "--out is for autotune-calibrate; --to DIR names a folder");
    else if (options.directory == NULL)
        code = options_complain(&table, "--dir is needed (try --help)");
    else if (words.start_count == 0)
        code =
            options_complain(&table, "the command that starts processes is needed, as -- mpiexec "
                                     "-n 8");
    else
        code = calibrate(&options, &words);
    calibrate_forget(&words);
    return code;
}
