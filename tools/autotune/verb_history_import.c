/* autotune history import: spools and records, also all of a folder. */

#include "verb_history.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "autotune.h"
#include "history/import.h"
#include "history/spool_read.h"

typedef struct import_command {
    const char *db, *program, *user;
    ath_import_limits limits;
    bool remove, json;
} import_command;

static const option_entry entries[] = {
    {"db", "ADDRESS", "a file, or postgresql://... (default: $ROMIO_AUTOTUNE_HISTORY, or your own)",
     OPTION_TEXT, offsetof(import_command, db), NULL},
    {"program", "NAME", "of records that do not say it, and of which there is no spool",
     OPTION_TEXT, offsetof(import_command, program), NULL},
    {"user", "NAME", "of records that do not say it (default: the owner of the file)", OPTION_TEXT,
     offsetof(import_command, user), NULL},
    {"user-limit", "SIZE", "of the spools of one user in the history (16G; 0: any)", OPTION_SIZE,
     offsetof(import_command, limits.user), NULL},
    {"limit", "SIZE", "of all the history (64G; 0: any)", OPTION_SIZE,
     offsetof(import_command, limits.database), NULL},
    {"keep-free", "SIZE", "of the disk that its file is on, for others (256M)", OPTION_SIZE,
     offsetof(import_command, limits.keep_free), NULL},
    {"remove", NULL, "remove spools that are whole after they were imported", OPTION_FLAG,
     offsetof(import_command, remove), NULL},
    {"json", NULL, "print JSON", OPTION_FLAG, offsetof(import_command, json), NULL},
    {NULL, NULL, NULL, OPTION_FLAG, 0, NULL}};

static const option_table table = {
    .usage = "autotune history import [options] FILE|FOLDER...",
    .about = "Adds what is new in files of records (romio_autotune_record) and in spools of\n"
             "activities (libautotune-watch.so); of a folder, all its *.spool and *.jsonl.  The\n"
             "same again changes nothing.  A file that cannot be used is named, the others are\n"
             "imported, and the exit code is 1.\n",
    .entries = entries};

typedef struct importing {
    const import_command *command;
    ath_database *database;
    ath_imported sum;
    atm_value *bad; /* names of those that will never be imported */
    int failed;
} importing;

static void import_file(importing *in, const char *path)
{
    atm_message message = {""};
    bool spool = ath_is_spool(path), whole = false;
    const import_command *command = in->command;
    ath_status status =
        spool ? ath_import_spool(in->database, path, &command->limits, &message, &in->sum, &whole)
              : ath_import_records(in->database, path, &command->limits, command->program,
                                   command->user, &message, &in->sum);

    if (status != ATH_OK || message.text[0] != '\0')
        history_complain("import", status, &message);
    if (status != ATH_OK) {
        in->failed++;
        if (status == ATH_BAD_FILE)
            atm_put_string(in->bad, NULL, path);
    } else if (whole && in->command->remove && unlink(path) != 0) {
        fprintf(stderr, "autotune history import: %s: cannot be removed: %m\n", path);
        in->failed++;
    }
}

static int is_ours(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot != NULL && (strcmp(dot, ".spool") == 0 || strcmp(dot, ".jsonl") == 0);
}

static void import_folder(importing *in, const char *folder)
{
    struct dirent **found = NULL;
    int count = scandir(folder, &found, is_ours, alphasort);

    if (count < 0) {
        fprintf(stderr, "autotune history import: %s: cannot be read: %m\n", folder);
        in->failed++;
    }
    for (int i = 0; i < count; i++) {
        char *path = NULL;

        if (asprintf(&path, "%s/%s", folder, found[i]->d_name) > 0)
            import_file(in, path);
        free(path);
        free(found[i]);
    }
    free(found);
}

static int print_json(const importing *in, atm_value *root)
{
    atm_put_integer(root, "spools", (int64_t) in->sum.spools);
    atm_put_integer(root, "activities", (int64_t) in->sum.activities);
    atm_put_integer(root, "dropped", (int64_t) in->sum.dropped);
    atm_put_integer(root, "records", (int64_t) in->sum.records);
    atm_put_integer(root, "trials", (int64_t) in->sum.trials);
    atm_put_integer(root, "known", (int64_t) in->sum.known);
    atm_put_integer(root, "failed", in->failed);
    return autotune_print(root);
}

static void print_text(const importing *in)
{
    const ath_imported *sum = &in->sum;

    printf("%" PRIu64 " spools with %" PRIu64 " activities, %" PRIu64 " records with %" PRIu64
           " trials; %" PRIu64 " were known\n",
           sum->spools, sum->activities, sum->records, sum->trials, sum->known);
    if (sum->dropped > 0)
        printf("%" PRIu64 " activities had found no room in their processes\n", sum->dropped);
}

static int import_all(const import_command *command, char *const *names, int count)
{
    atm_value *root;
    importing in = {.command = command};
    atm_message message = {""};
    int code = history_open("import", command->db, ATH_WRITE, &in.database);
    ath_status status;

    if (code != 0)
        return code;
    root = atm_value_object();
    in.bad = atm_put_array(root, "bad");
    for (int i = 0; i < count; i++) {
        struct stat info;

        if (stat(names[i], &info) == 0 && S_ISDIR(info.st_mode))
            import_folder(&in, names[i]);
        else
            import_file(&in, names[i]);
    }
    status = ath_import_link(in.database, &message);
    ath_close(in.database);
    if (status != ATH_OK || !command->json) {
        atm_value_destroy(root);
        if (status != ATH_OK)
            return history_complain("import", status, &message);
        print_text(&in);
    } else {
        code = print_json(&in, root);
    }
    return in.failed > 0 ? 1 : code;
}

int history_import(int argc, char **argv)
{
    import_command command = {.limits = ath_import_usual};
    char **names = NULL;
    int count, code;
    option_result result = history_arguments(&table, argc, argv, &command, &names, &count);

    if (result != OPTIONS_GO_ON)
        code = result == OPTIONS_HELP ? 0 : 2;
    else if (count == 0)
        code = options_complain(&table, "a file or folder is needed (try --help)");
    else
        code = import_all(&command, names, count);
    free(names);
    return code;
}
