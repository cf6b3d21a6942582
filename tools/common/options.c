/* Options of the tools: one table parses them and prints the help. */

#include "options.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atm.h"

#define TIME_MOST 1e9 /* seconds */

/* "autotune place", the words before the first bracket */
static int name_length(const option_table *table)
{
    return (int) strcspn(table->usage, "[") - 1;
}

int options_complain(const option_table *table, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "%.*s: ", name_length(table), table->usage);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\n", stderr);
    return 2;
}

static void print_version(const option_table *table)
{
    printf("%.*s (romio-autotune) " PACKAGE_VERSION "\n", name_length(table), table->usage);
}

/* Returns a bit for each kind that there is. */
static unsigned print_entries(const option_entry *entry)
{
    unsigned kinds = 0;

    for (; entry != NULL && entry->name != NULL; entry++) {
        bool maybe = entry->kind == OPTION_MAYBE;
        const char *value = entry->value != NULL ? entry->value : "";
        const char *before = maybe ? "[=" : value[0] != '\0' ? " " : "";
        int width = printf("  --%s%s%s%s", entry->name, before, value, maybe ? "]" : "");

        printf("%*s%s\n", width < 28 ? 28 - width : 1, "", entry->help);
        kinds |= 1u << entry->kind;
    }
    return kinds;
}

static void print_help(const option_table *table)
{
    unsigned kinds;

    printf("usage: %s\n%s", table->usage, table->about);
    kinds = print_entries(table->shared);
    kinds |= print_entries(table->entries);
    printf("  --version%*sof this program\n  --help%*sthis text\n%s%s", 17, "", 20, "",
           kinds & 1u << OPTION_SIZE ? "SIZE may end in K, M, G or T.\n" : "",
           kinds & 1u << OPTION_TIME ? "TIME may end in ms, s, min, h or d.\n" : "");
}

static bool parse_time(const char *text, double *seconds_p)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};
    char *end;
    double number = strtod(text, &end);

    for (size_t i = 0; end != text && i < sizeof(units) / sizeof(units[0]); i++) {
        double seconds = number * units[i].seconds;

        if (strcmp(end, units[i].name) != 0)
            continue;
        if (!(seconds > 0) || seconds > TIME_MOST)
            return false;
        *seconds_p = seconds;
        return true;
    }
    return false;
}

/* NULL, or what is wrong with the value. */
static const char *store(const option_entry *entry, const char *value, void *variables)
{
    void *variable = (char *) variables + entry->offset;
    uint64_t number;

    switch (entry->kind) {
        case OPTION_FLAG:
            *(bool *) variable = true;
            return NULL;
        case OPTION_COUNT:
            if (!atm_parse_size(value, INT_MAX, &number))
                return "is not a number, 1 or more";
            *(int *) variable = (int) number;
            return NULL;
        case OPTION_SIZE:
            if (!atm_parse_size(value, INT64_MAX, (uint64_t *) variable))
                return "is not a size";
            return NULL;
        case OPTION_TIME:
            return parse_time(value, variable) ? NULL : "is not a time such as 30s, 5min, 1h or 2d";
        case OPTION_TEXT:
        case OPTION_MAYBE:
            *(const char **) variable = value;
            return NULL;
        case OPTION_SPECIAL:
            return entry->set(value, variables);
    }
    return "has no kind";
}

static const option_entry *find_in(const option_entry *entry, const char *name, size_t length)
{
    for (; entry != NULL && entry->name != NULL; entry++)
        if (strlen(entry->name) == length && memcmp(entry->name, name, length) == 0)
            return entry;
    return NULL;
}

static const option_entry *find(const option_table *table, const char *name, size_t length)
{
    const option_entry *entry = find_in(table->entries, name, length);

    return entry != NULL ? entry : find_in(table->shared, name, length);
}

/* NULL: there is none; *index_p moves on over a value of its own. */
static const char *value_of(const option_entry *entry, const char *equals, int argc, char **argv,
                            int *index_p)
{
    if (entry->value == NULL)
        return NULL;
    if (equals != NULL)
        return equals + 1;
    if (entry->kind == OPTION_MAYBE)
        return "";
    return *index_p + 1 < argc ? argv[++*index_p] : NULL;
}

/* --name VALUE or --name=VALUE */
static bool parse_one(const option_table *table, int argc, char **argv, int *index_p,
                      void *variables)
{
    const char *argument = argv[*index_p], *name = argument + 2, *equals = strchr(argument, '=');
    const option_entry *entry = NULL;
    const char *value, *problem;

    if (strncmp(argument, "--", 2) == 0)
        entry = find(table, name, equals != NULL ? (size_t) (equals - name) : strlen(name));
    if (entry == NULL) {
        options_complain(table, "unknown option %s (try --help)", argument);
        return false;
    }
    value = value_of(entry, equals, argc, argv, index_p);
    if ((entry->value != NULL) != (value != NULL) || (entry->value == NULL && equals != NULL)) {
        options_complain(table, "--%s %s", entry->name,
                         entry->value != NULL ? "needs a value" : "takes no value");
        return false;
    }
    problem = store(entry, value, variables);
    if (problem != NULL)
        options_complain(table, "--%s %s: %s", entry->name, value, problem);
    return problem == NULL;
}

int options_separate(const option_table *table, int argc, char **argv, char **rest, int *count_p)
{
    int kept = 1;

    *count_p = 0;
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        const option_entry *entry;

        if (name[0] != '-') {
            rest[(*count_p)++] = argv[i];
            continue;
        }
        argv[kept++] = argv[i];
        entry = strncmp(name, "--", 2) == 0 ? find(table, name + 2, strlen(name + 2)) : NULL;
        if (entry != NULL && entry->value != NULL && entry->kind != OPTION_MAYBE && i + 1 < argc)
            argv[kept++] = argv[++i];
    }
    return kept;
}

option_result options_parse(const option_table *table, int argc, char **argv, void *variables)
{
    return options_parse_until(table, argc, argv, variables, NULL);
}

option_result options_parse_until(const option_table *table, int argc, char **argv, void *variables,
                                  int *rest_p)
{
    int i;

    for (i = 1; i < argc; i++) {
        if (rest_p != NULL && (argv[i][0] != '-' || strcmp(argv[i], "--") == 0))
            break;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help(table);
            return OPTIONS_HELP;
        }
        if (strcmp(argv[i], "--version") == 0) {
            print_version(table);
            return OPTIONS_HELP;
        }
        if (!parse_one(table, argc, argv, &i, variables))
            return OPTIONS_WRONG;
    }
    if (rest_p != NULL)
        *rest_p = i < argc && strcmp(argv[i], "--") == 0 ? i + 1 : i;
    return OPTIONS_GO_ON;
}
