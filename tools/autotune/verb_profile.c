/* autotune profile: which command, which files. */

#include "verb_profile.h"

#include <stdlib.h>
#include <string.h>

#include "autotune.h"
#include "formats/formats.h"

typedef struct profile_options {
    const char *output;
    bool brief;
} profile_options;

static const option_entry no_options[] = {{.name = NULL}};

static const option_entry merge_options[] = {{"output", "FILE",
                                              "where the merged points go; also -o FILE",
                                              OPTION_TEXT, offsetof(profile_options, output), NULL},
                                             {.name = NULL}};

static const option_entry show_options[] = {
    {"brief", NULL, "without facts and costs", OPTION_FLAG, offsetof(profile_options, brief), NULL},
    {.name = NULL}};

typedef struct profile_command {
    const char *name;
    option_table table;
    int files_min, files_max;
} profile_command;

enum { CHECK, SHOW, DIFF, MERGE, COMMANDS };

static const profile_command commands[COMMANDS] = {
    [CHECK] = {"check",
               {"autotune profile check [--help] FILE...",
                "Check profiles and points files completely.  Warnings, about what is valid but\n"
                "looks wrong, do not change the exit code.\n",
                no_options, NULL},
               1,
               INT32_MAX},
    [SHOW] = {"show",
              {"autotune profile show [--brief] [--help] FILE",
               "Describe a profile or a points file in words.\n", show_options, NULL},
              1,
              1},
    [DIFF] = {"diff",
              {"autotune profile diff [--help] FILE FILE",
               "Compare two profiles: of two machines, or of one at two dates.\n", no_options,
               NULL},
              2,
              2},
    [MERGE] = {"merge",
               {"autotune profile merge [--help] FILE FILE... --output FILE",
                "Join points files of one machine, as of jobs of several sizes.\n", merge_options,
                NULL},
               2,
               INT32_MAX}};

static void print_help(FILE *to)
{
    fputs("usage: autotune profile COMMAND [options] FILE...\n"
          "Look at profiles and at the points they are made of.\n"
          "  check      validate\n"
          "  show       describe in words\n"
          "  diff       compare two profiles\n"
          "  merge      join points files\n"
          "autotune profile COMMAND --help lists the options.\n",
          to);
}

/* --- files */

/* Points files say so; errors in any other file are reported as for a profile. */
static bool holds_points(const atm_value *root)
{
    const char *format = "";

    return atm_opt_string(root, "format", NULL, &format) == ATM_OK &&
           strcmp(format, POINTS_FORMAT) == 0;
}

bool profile_file_open(const char *path, profile_file *file_p)
{
    profile_file file = {.path = path};
    atm_message message = {""};
    atm_value *root;
    atm_status status = atm_value_read(path, &message, &root);

    if (status == ATM_OK) {
        status = holds_points(root) ? points_read(path, &message, &file.points)
                                    : atm_profile_load(path, &message, &file.profile);
        atm_value_destroy(root);
    }
    if (status == ATM_OK)
        *file_p = file;
    else
        fprintf(stderr, "autotune profile: %s\n",
                message.text[0] != '\0' ? message.text : atm_status_text(status));
    return status == ATM_OK;
}

void profile_file_close(profile_file *file)
{
    atm_profile_destroy(file->profile);
    points_destroy(file->points);
}

/* --- command lines */

/* Moves arguments that are not options to files; -o is short for --output.  What is left of
 * argv is for options_parse. */
static void split(char **argv, int *argc_p, char **files, int *count_p)
{
    static char output[] = "--output";
    int kept = 1, count = 0;

    for (int i = 1; i < *argc_p; i++) {
        bool takes_value = strcmp(argv[i], "-o") == 0 || strcmp(argv[i], output) == 0;

        if (argv[i][0] != '-') {
            files[count++] = argv[i];
            continue;
        }
        argv[kept++] = takes_value ? output : argv[i];
        if (takes_value && i + 1 < *argc_p)
            argv[kept++] = argv[++i];
    }
    *argc_p = kept;
    *count_p = count;
}

static int run(int index, char **files, int count, const profile_options *options)
{
    const profile_command *command = &commands[index];

    if (count < command->files_min || count > command->files_max)
        return options_complain(&command->table, "%s (try --help)",
                                command->files_max == 1   ? "one file is needed"
                                : command->files_max == 2 ? "two files are needed"
                                : command->files_min == 2 ? "two files or more are needed"
                                                          : "a file is needed");
    if (index == MERGE && options->output == NULL)
        return options_complain(&command->table, "--output is needed (try --help)");
    return index == CHECK  ? profile_check(files, count)
           : index == SHOW ? profile_show(files[0], options->brief)
           : index == DIFF ? profile_diff(files, count)
                           : profile_merge(files, count, options->output);
}

static int parse_and_run(int index, int argc, char **argv)
{
    char **files = calloc((size_t) argc, sizeof(*files));
    profile_options options = {.brief = false};
    option_result result;
    int count, code;

    if (files == NULL) {
        fprintf(stderr, "autotune profile: %s\n", atm_status_text(ATM_NO_MEMORY));
        return 1;
    }
    split(argv, &argc, files, &count);
    result = options_parse(&commands[index].table, argc, argv, &options);
    if (result != OPTIONS_GO_ON)
        code = result == OPTIONS_HELP ? 0 : 2;
    else
        code = run(index, files, count, &options);
    free(files);
    return code;
}

int autotune_profile(int argc, char **argv)
{
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        print_help(stdout);
        return 0;
    }
    if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
        puts("autotune profile (romio-autotune) " PACKAGE_VERSION);
        return 0;
    }
    for (int i = 0; argc >= 2 && i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return parse_and_run(i, argc - 1, argv + 1);
    if (argc >= 2)
        fprintf(stderr, "autotune profile: unknown command %s\n", argv[1]);
    print_help(stderr);
    return 2;
}
