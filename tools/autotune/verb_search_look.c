/* autotune search: what the first run tells, before others are made. */

#include "verb_search.h"

#include <stdio.h>
#include <string.h>

/* --- HDF5 */

/* Whether a file has HDF5's signature, at its beginning as nearly all have; -1: it cannot be
 * read. */
static int has_signature(const char *path)
{
    char first[8];
    FILE *file = fopen(path, "re");
    size_t got;

    if (file == NULL)
        return -1;
    got = fread(first, 1, sizeof(first), file);
    fclose(file);
    return got == sizeof(first) && memcmp(first, "\211HDF\r\n\032\n", sizeof(first)) == 0;
}

/* Judges by the program's libraries, unless it may load others while it runs; else by the files it
 * left. */
static bool lacks_hdf5(const launched *launched, const atm_value *facts)
{
    const atm_value *files = atm_value_find(facts, "files");
    size_t none = 0;

    if (launched->name != NULL && launched->program.kind == PROGRAM_DYNAMIC)
        return !launched->program.hdf5;
    for (size_t i = 0; i < atm_value_length(files); i++) {
        const char *file;

        if (atm_get_string(atm_value_item(files, i), NULL, NULL, &file) != ATM_OK)
            return false;
        none += has_signature(file) == 0;
    }
    return none > 0 && none == atm_value_length(files);
}

/* --- which settings can change nothing, and why */

typedef struct reason {
    bool holds;
    const char *text;
    atm_setting from, to; /* settings, both included */
} reason;

static int64_t number_of(const atm_value *object, const char *name)
{
    int64_t number = 0;

    if (object == NULL || atm_value_find(object, name) == NULL ||
        atm_get_integer(object, name, 0, ATM_MAX_INTEGER, NULL, &number) != ATM_OK)
        return 0;
    return number;
}

static bool has_stripes(const atm_value *facts)
{
    const char *driver = "";

    return atm_get_string(facts, "driver", NULL, &driver) == ATM_OK &&
           strcmp(driver, "lustre") == 0;
}

/* named: by this reason and those before it, which a parameter of several settings may need. */
static void fix(ats_space *space, const reason *reason, bool named[ATM_SETTING_COUNT])
{
    char names[512];

    for (int i = reason->from; i <= (int) reason->to; i++)
        named[i] = true;
    ats_space_fix(space, named, sizeof(names), names);
    if (names[0] != '\0')
        fprintf(stderr, "not varied: %s: %s\n", names, reason->text);
}

static bool has_choices(const ats_space *space)
{
    for (int i = 0; i < space->count; i++)
        if (ats_choices(&space->parameters[i]) > 1)
            return true;
    return false;
}

static void fix_all(const launched *launched, const atm_value *facts, ats_space *space)
{
    int64_t reads = number_of(facts, "reads"), writes = number_of(facts, "writes");
    int64_t apart = number_of(atm_value_find(facts, "apart"), "writes");
    bool named[ATM_SETTING_COUNT] = {false};
    bool lacks = lacks_hdf5(launched, facts);
    const reason reasons[] = {
        {!has_stripes(facts), "the files are on no file system with stripes",
         ATM_SET_STRIPING_FACTOR, ATM_SET_CO_RATIO},
        {writes + apart == 0, "nothing is written, and files that exist keep their stripes",
         ATM_SET_STRIPING_FACTOR, ATM_SET_CO_RATIO},
        {reads + writes == 0, "it made no collective call", ATM_SET_CB_NODES,
         ATM_SET_CB_BUFFER_SIZE},
        {writes == 0, "it made no collective call that writes", ATM_SET_CB_WRITE, ATM_SET_CB_WRITE},
        {reads == 0, "it made no collective call that reads", ATM_SET_CB_READ, ATM_SET_CB_READ},
        {lacks, "it does not use HDF5", ATM_SET_HDF5_ALIGNMENT, ATM_SET_HDF5_SPACE_PAGE},
        {launched_needs_hdf5(launched), "nothing sets what HDF5 does", ATM_SET_HDF5_ALIGNMENT,
         ATM_SET_HDF5_SPACE_PAGE}};

    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
        if (reasons[i].holds)
            fix(space, &reasons[i], named);
    if (!launched->hdf5 && ats_space_varies(space, ATM_SET_HDF5_ALIGNMENT, ATM_SET_HDF5_SPACE_PAGE))
        fputs("settings of HDF5 work only in a program that is started by \"autotune run "
              "--watch=hdf5\", or linked with the flags of \"autotune wrap\"\n",
              stderr);
}

atm_status search_look(const search_command *command, const launched *launched,
                       const ats_journal *journal, ats_space *space, atm_message *message)
{
    const ats_trial first = {.kind = ATS_EXPLORE, .number = 0};
    const ats_entry *entry = ats_journal_find(journal, &first);
    const atm_value *facts =
        entry != NULL && entry->facts != NULL ? atm_value_find(entry->facts, "facts") : NULL;

    if (facts == NULL || atm_value_find(facts, "records") == NULL)
        return ATM_OK; /* it failed, or its journal is of an earlier version */
    if (number_of(facts, "records") == 0) {
        snprintf(message->text, sizeof(message->text),
                 "the first run left no record, so no setting would change anything: %s",
                 launched_absent(launched));
        return ATM_NO_CHOICE;
    }
    if (atm_value_find(facts, "driver") == NULL)
        return ATM_OK; /* --file excludes all: what its runs say tells more */
    fix_all(launched, facts, space);
    if (has_choices(space))
        return ATM_OK;
    snprintf(message->text, sizeof(message->text),
             "nothing in the space %.64s would change anything in this program",
             command->space != NULL ? command->space : "of this folder");
    return ATM_NO_CHOICE;
}
