/* Options of the tools: one table parses them and prints the help. */

#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG,    /* bool */
    OPTION_COUNT,   /* int, 1 or more */
    OPTION_SIZE,    /* uint64_t, 1 or more; may end in K, M, G or T */
    OPTION_TIME,    /* double, seconds, above 0; may end in ms, s, min, h or d */
    OPTION_TEXT,    /* const char * */
    OPTION_SPECIAL, /* parsed by `set` */
    OPTION_MAYBE    /* const char *, of --name=VALUE; "" for --name alone */
} option_kind;

typedef struct option_entry {
    const char *name;  /* without dashes; NULL ends a table */
    const char *value; /* its name in the help; NULL for flags */
    const char *help;
    option_kind kind;
    size_t offset; /* of its variable in the tool's struct */
    /* OPTION_SPECIAL: NULL, or what is wrong with the value. */
    const char *(*set)(const char *value, void *variables);
} option_entry;

typedef struct option_table {
    const char *usage; /* "autotune place [options]" */
    const char *about; /* what it does; ends in a newline */
    const option_entry *entries;
    const option_entry *shared; /* with other tables, listed before these; or NULL */
} option_table;

/* OPTIONS_HELP: help or version was asked for and printed. */
typedef enum option_result { OPTIONS_GO_ON, OPTIONS_HELP, OPTIONS_WRONG } option_result;

/* Fill variables from argv[1] on.  Help and version go to stdout, complaints to
 * stderr. */
option_result options_parse(const option_table *table, int argc, char **argv, void *variables);

/* The same up to the first argument that is no option, or after "--":
 * argv[*rest_p], which may be the end. */
option_result options_parse_until(const option_table *table, int argc, char **argv, void *variables,
                                  int *rest_p);

/* Parts what is no option, nor an option's value, from argv[1] on: rest[argc] gets
 * it and *count_p its number.  Returns how many arguments are left in argv. */
int options_separate(const option_table *table, int argc, char **argv, char **rest, int *count_p);

/* Names of placement policies, for complaints. */
#define options_policies "bridge-first, uniform and bluegene"

/* A complaint about the command line: prints it; returns exit code 2. */
int options_complain(const option_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif /* OPTIONS_H */
