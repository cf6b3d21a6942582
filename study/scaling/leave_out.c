/*
 * outside KIND=POINTS...: how errors grow outside of what was measured on grounds of several kinds,
 * as the table that training takes for usual (tune/train/outside_table.h), on stdout.  A row for
 * each operation that can be learned, without what is usual.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "train/outside.h"

enum { FOLDS = 3 }; /* they only choose among models here */

/* Nothing to speak of. */
static const outside_prior open_minded[ATM_AWAY_COUNT] = {{-1.4, 3}, {-1.4, 3}, {-1.4, 3}};

static void print_name(atm_operation operation)
{
    printf("ATM_");
    for (const char *name = atm_operation_name(operation); *name != '\0'; name++)
        putchar(*name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name);
}

static void print_row(const char *kind, atm_operation operation, const outside_found *found)
{
    printf("    {\"%s\", ", kind);
    print_name(operation);
    printf(", {");
    for (int i = 0; i < ATM_AWAY_COUNT; i++)
        printf("%s%.3f", i > 0 ? ", " : "", found->seen[i] ? found->deviation[i] : 0);
    printf("}, %.2f},\n", found->alike);
}

static atm_status print_ground(const char *kind, points *points, atm_message *message)
{
    const train_options options = {.seed = 1, .folds = FOLDS, .criterion = TRAIN_LOG};
    train_result *result;
    atm_status status = train_run(&points, 1, &options, message, &result);

    if (status != ATM_OK)
        return status;
    for (int i = 0; status == ATM_OK && i < result->operation_count; i++) {
        outside_found found;

        status = outside_learn(&result->operations[i], open_minded, &found);
        if (status == ATM_OK && (found.seen[0] || found.seen[1] || found.seen[2]))
            print_row(kind, result->operations[i].operation, &found);
    }
    train_destroy(result);
    return status;
}

static atm_status do_ground(char *argument, atm_message *message)
{
    char *path = strchr(argument, '=');
    points *points;
    atm_status status = ATM_BAD_ARGUMENT;

    if (path == NULL)
        return status;
    *path++ = '\0';
    status = points_read(path, message, &points);
    if (status != ATM_OK)
        return status;
    status = print_ground(argument, points, message);
    points_destroy(points);
    return status;
}

int main(int argc, char **argv)
{
    printf("/* Made by `make scaling` (study/scaling/README.md). */\n\n"
           "static const outside_row outside_rows[] = {\n");
    for (int i = 1; i < argc; i++) {
        atm_message message = {""};

        if (do_ground(argv[i], &message) != ATM_OK) {
            fprintf(stderr, "outside: %s: %s\n", argv[i], message.text);
            return 2;
        }
    }
    printf("};\n");
    return 0;
}
