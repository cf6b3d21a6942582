/* autotune install-profile: put a profile where the driver looks for it. */

#include "autotune.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "value/text_output.h"
#include "files/profile.h"
#include "common/options.h"
#include "common/profile_find.h"
#include "train/points.h"
#include "formats/formats.h"

typedef struct install_options {
    const char *prefix, *dest, *name; /* NULL: not given */
    bool user, add;
} install_options;

#define OFFSET(field) offsetof(install_options, field)

static const option_entry entries[] = {
    {"user", NULL, "for yourself: below XDG_CONFIG_HOME or ~/.config", OPTION_FLAG, OFFSET(user),
     NULL},
    {"prefix", "DIR", "for an installation in DIR: DIR/etc/romio-autotune", OPTION_TEXT,
     OFFSET(prefix), NULL},
    {"dest", "DIR", "to DIR itself", OPTION_TEXT, OFFSET(dest), NULL},
    {"add", NULL, "beside others, in " ATM_PROFILES_FOLDER ": the one that fits a job is used",
     OPTION_FLAG, OFFSET(add), NULL},
    {"name", "NAME", "of the file (default " ATM_PROFILE_FILE ", with --add that of FILE)",
     OPTION_TEXT, OFFSET(name), NULL},
    {.name = NULL}};

static const option_table table = {
    "autotune install-profile [options] FILE",
    "Check a profile and put it where the driver finds it: for all users of this\n"
    "installation, unless an option says otherwise.  What was there before is kept\n"
    "as NAME.old.\n",
    entries, NULL};

__attribute__((format(printf, 2, 3))) static int complain(int code, const char *format, ...)
{
    va_list arguments;

    fputs("autotune install-profile: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\n", stderr);
    return code;
}

/* --- where */

/* The folder of the user's or the site's place; false if there is none. */
static bool folder_of(atm_source source, char folder[ATM_SEARCH_PATH])
{
    atm_search search;

    if (profile_search(NULL, &search) != ATM_OK)
        return false;
    for (int i = 0; i < search.count; i++)
        if (search.at[i].source == source) {
            strcpy(folder, search.at[i].path);
            *strrchr(folder, '/') = '\0';
            return true;
        }
    return false;
}

static int choose_folder(const install_options *options, char folder[ATM_SEARCH_PATH])
{
    size_t used;
    int length = 0;

    if (options->dest != NULL)
        length = snprintf(folder, ATM_SEARCH_PATH, "%s", options->dest);
    else if (options->prefix != NULL)
        length = snprintf(folder, ATM_SEARCH_PATH, "%s/etc/" ATM_PROFILE_FOLDER, options->prefix);
    else if (!folder_of(options->user ? ATM_SOURCE_USER : ATM_SOURCE_SITE, folder))
        return complain(1, "neither XDG_CONFIG_HOME nor HOME names a directory");
    if (length < 0 || length >= ATM_SEARCH_PATH)
        return complain(2, "the name of the directory is too long");
    used = strlen(folder);
    if (options->add && (size_t) snprintf(folder + used, ATM_SEARCH_PATH - used,
                                          "/" ATM_PROFILES_FOLDER) >= ATM_SEARCH_PATH - used)
        return complain(2, "the name of the directory is too long");
    return 0;
}

/* mkdir -p */
static bool make_folder(char *folder)
{
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        bool made;

        *slash = '\0';
        made = mkdir(folder, 0755) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return mkdir(folder, 0755) == 0 || errno == EEXIST;
}

/* --- what */

/* The file's bytes, which are checked and then written: nobody can change them
 * in between.  Free the text. */
static int read_text(const char *path, char **text_p, size_t *length_p)
{
    FILE *file = fopen(path, "r");
    char *text = malloc(ATM_MAX_BYTES + 1);
    size_t length = 0;
    bool failed;

    if (file == NULL || text == NULL) {
        free(text);
        if (file != NULL)
            fclose(file);
        return complain(2, "%s: cannot be opened: %s", path, strerror(errno));
    }
    length = fread(text, 1, ATM_MAX_BYTES + 1, file);
    failed = ferror(file);
    fclose(file);
    if (failed) {
        free(text);
        return complain(2, "%s: cannot be read: %s", path, strerror(errno));
    }
    *text_p = text;
    *length_p = length;
    return 0;
}

static bool holds_points(const char *text, size_t length)
{
    const char *format = "";
    atm_value *root;

    if (atm_value_parse(text, length, "", NULL, &root) != ATM_OK)
        return false;
    atm_opt_string(root, "format", NULL, &format);
    format = strcmp(format, POINTS_FORMAT) == 0 ? POINTS_FORMAT : "";
    atm_value_destroy(root);
    return format[0] != '\0';
}

static int check(const char *path, const char *text, size_t length)
{
    atm_message message = {""};
    atm_profile *profile;
    atm_status status = atm_profile_parse(text, length, path, &message, &profile);

    if (status == ATM_OK) {
        atm_profile_destroy(profile);
        return 0;
    }
    if (holds_points(text, length))
        return complain(2, "%s: is a points file: make a profile of it with autotune train", path);
    return complain(2, "%s", message.text[0] != '\0' ? message.text : atm_status_text(status));
}

/* --- how */

/* The installed file also gets the name path.old, without ever being absent;
 * false and errno if there is one and that fails. */
static bool keep_old(const char *path)
{
    char *old = NULL, *step = NULL;
    bool kept = false;

    if (asprintf(&old, "%s.old", path) >= 0 && asprintf(&step, "%s.old.%d", path, getpid()) >= 0) {
        unlink(step);
        if (link(path, step) != 0) {
            kept = errno == ENOENT;
        } else {
            kept = rename(step, old) == 0;
            unlink(step); /* rename keeps it if both are already the same file */
        }
    }
    free(step);
    free(old);
    return kept;
}

/* Added to an error about the site's directory: what any user may do. */
static const char *way_out(const install_options *options)
{
    bool site = !options->user && options->prefix == NULL && options->dest == NULL;

    return site && (errno == EACCES || errno == EPERM || errno == EROFS)
               ? "; --user installs it for yourself"
               : "";
}

static int put(const install_options *options, const char *path, const char *text, size_t length)
{
    atm_message message = {""};
    char *new_path;
    atm_status status = atm_text_stage(path, text, length, &message, &new_path);
    int code = 0;

    if (status != ATM_OK)
        return complain(1, "%s%s", message.text[0] != '\0' ? message.text : atm_status_text(status),
                        way_out(options));
    if (!keep_old(path) || rename(new_path, path) != 0) {
        code = complain(1, "%s: cannot be written: %s", path, strerror(errno));
        unlink(new_path);
    }
    free(new_path);
    return code;
}

static int put_into(const install_options *options, char *folder, const char *text, size_t length)
{
    char *path;
    int code;

    if (!make_folder(folder))
        return complain(1, "%s: cannot be made: %s%s", folder, strerror(errno), way_out(options));
    if (asprintf(&path, "%s/%s", folder, options->name) < 0)
        return complain(1, "%s", atm_status_text(ATM_NO_MEMORY));
    code = put(options, path, text, length);
    if (code == 0)
        printf("installed as %s\n", path);
    free(path);
    return code;
}

static int install(const install_options *options, const char *file)
{
    char folder[ATM_SEARCH_PATH], *text = NULL;
    size_t length = 0;
    int code = choose_folder(options, folder);

    if (code == 0)
        code = read_text(file, &text, &length);
    if (code == 0)
        code = check(file, text, length);
    if (code == 0)
        code = put_into(options, folder, text, length);
    free(text);
    return code;
}

/* The only argument that is not an option, moved out of argv. */
static const char *take_file(int *argc_p, char **argv)
{
    const char *file = NULL;
    int kept = 1;

    for (int i = 1; i < *argc_p; i++) {
        bool value = i > 1 && strncmp(argv[i - 1], "--", 2) == 0 &&
                     strcmp(argv[i - 1], "--user") != 0 && strcmp(argv[i - 1], "--add") != 0 &&
                     strchr(argv[i - 1], '=') == NULL;

        if (file == NULL && argv[i][0] != '-' && !value)
            file = argv[i];
        else
            argv[kept++] = argv[i];
    }
    *argc_p = kept;
    return file;
}

static const char *default_name(const install_options *options, const char *file)
{
    const char *slash = strrchr(file, '/');

    if (!options->add)
        return ATM_PROFILE_FILE;
    return slash != NULL ? slash + 1 : file;
}

/* As files/installed.h looks for them. */
static bool can_be_found(const char *name)
{
    size_t length = strlen(name);

    return name[0] != '.' && length > 5 && strcmp(name + length - 5, ".json") == 0;
}

int autotune_install(int argc, char **argv)
{
    install_options options = {.name = NULL};
    const char *file = take_file(&argc, argv);
    option_result result = options_parse(&table, argc, argv, &options);

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    if (file == NULL)
        return options_complain(&table, "a profile is needed (try --help)");
    if ((options.dest != NULL) + (options.prefix != NULL) + options.user > 1)
        return options_complain(&table, "--user, --prefix and --dest exclude each other");
    if (options.name == NULL)
        options.name = default_name(&options, file);
    if (options.name[0] == '\0' || strchr(options.name, '/') != NULL)
        return options_complain(&table, "--name %s: is not the name of a file", options.name);
    if (options.add && !can_be_found(options.name))
        return options_complain(&table, "--add: %s: the driver looks for names that end in .json",
                                options.name);
    return install(&options, file);
}
