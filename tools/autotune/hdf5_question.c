/* A data set and its ranks on a command line. */

#include "hdf5_question.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the text */

/* What is being read, and of how many dimensions the lists were. */
typedef struct reading {
    hdf5_question question;
    int processes, runs, chunk; /* numbers given; 0: none */
    bool threshold;
} reading;

/* "4x4x4": how many numbers there are; 0 for what is none. */
static int read_list(const char *text, uint64_t list_p[ATM_H5_DIMENSIONS])
{
    int count = 0;

    while (count < ATM_H5_DIMENSIONS) {
        size_t length = strcspn(text, "x");
        char number[32];

        if (length == 0 || length >= sizeof(number))
            return 0;
        memcpy(number, text, length);
        number[length] = '\0';
        if (!atm_parse_size(number, INT64_MAX, &list_p[count++]))
            return 0;
        if (text[length] == '\0')
            return count;
        text += length + 1;
    }
    return 0;
}

static bool read_fill(const char *value, bool *fill_p)
{
    *fill_p = strcmp(value, "never") != 0;
    return !*fill_p || strcmp(value, "ifset") == 0;
}

/* 0 of a size: what HDF5 has for it. */
static bool read_size(const char *value, uint64_t *size_p)
{
    if (strcmp(value, "0") != 0)
        return atm_parse_size(value, INT64_MAX, size_p);
    *size_p = 0;
    return true;
}

/* NULL, or what is wrong with the value. */
static const char *read_member(const char *key, const char *value, reading *r)
{
    static const char list[] = "must be numbers, 1 or more, with x between them; at most 5";
    static const char size[] = "is not a size";
    atm_h5_set *set = &r->question.asked.set;
    atm_h5_file *file = &r->question.asked.file;

    if (strcmp(key, "dims") == 0)
        return (set->dimensions = read_list(value, set->sizes)) > 0 ? NULL : list;
    if (strcmp(key, "processes") == 0)
        return (r->processes = read_list(value, r->question.processes)) > 0 ? NULL : list;
    if (strcmp(key, "runs") == 0)
        return (r->runs = read_list(value, r->question.runs)) > 0 ? NULL : list;
    if (strcmp(key, "chunk") == 0)
        return (r->chunk = read_list(value, set->chunk)) > 0 ? NULL : list;
    if (strcmp(key, "element") == 0)
        return atm_parse_size(value, INT64_MAX, &set->element) ? NULL : size;
    if (strcmp(key, "alignment") == 0)
        return read_size(value, &file->alignment) ? NULL : size;
    if (strcmp(key, "threshold") == 0) {
        r->threshold = true;
        return read_size(value, &file->threshold) ? NULL : size;
    }
    if (strcmp(key, "metadata") == 0)
        return read_size(value, &file->metadata_block) ? NULL : size;
    if (strcmp(key, "fill") == 0)
        return read_fill(value, &set->fill) ? NULL : "must be never or ifset";
    return "there is no such member; there are dims, element, processes, runs, chunk, alignment, "
           "threshold, metadata and fill";
}

/* KEY=VALUE,... */
static int read_text(const option_table *table, const char *text, reading *r)
{
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        char member[256], *value;
        const char *wrong;

        if (length >= sizeof(member))
            return options_complain(table, "--hdf5: a member is too long");
        memcpy(member, text, length);
        member[length] = '\0';
        value = strchr(member, '=');
        if (value == NULL)
            return options_complain(table, "--hdf5: %s: must be KEY=VALUE", member);
        *value++ = '\0';
        wrong = read_member(member, value, r);
        if (wrong != NULL)
            return options_complain(table, "--hdf5: %s=%s: %s", member, value, wrong);
        text += length + (text[length] == ',');
    }
    return 0;
}

/* --- what is left out, and what contradicts */

static int complete(const option_table *table, int ranks, reading *r)
{
    hdf5_question *question = &r->question;
    atm_h5_set *set = &question->asked.set;
    uint64_t product = 1;
    const char *why;

    if (set->dimensions == 0)
        return options_complain(table, "--hdf5: dims is needed, as dims=512x512x512");
    if ((r->processes > 0 && r->processes != set->dimensions) ||
        (r->runs > 0 && r->runs != set->dimensions) ||
        (r->chunk > 0 && r->chunk != set->dimensions))
        return options_complain(table, "--hdf5: processes, runs and chunk must have as many "
                                       "dimensions as dims");
    set->chunked = r->chunk > 0;
    if (!r->threshold && question->asked.file.alignment > 1)
        question->asked.file.threshold = question->asked.file.alignment;
    for (int i = 0; i < set->dimensions; i++) {
        if (r->processes == 0)
            question->processes[i] = i == 0 ? (uint64_t) ranks : 1;
        if (r->runs == 0)
            question->runs[i] = 1;
        if (question->runs[i] > set->sizes[i] || set->sizes[i] % question->runs[i] != 0)
            return options_complain(table, "--hdf5: runs must divide dims");
        if (__builtin_mul_overflow(product, question->processes[i], &product))
            product = 0;
    }
    if (product != (uint64_t) ranks)
        return options_complain(table, "--hdf5: processes must multiply to the job's %d rank%s",
                                ranks, ranks == 1 ? "" : "s");
    why = atm_h5_set_refused(set);
    return why != NULL ? options_complain(table, "--hdf5: the data set %s", why) : 0;
}

/* An even share of each run, the last dimension fastest. */
static atm_h5_slab slab_of(const hdf5_question *question, int rank)
{
    const atm_h5_set *set = &question->asked.set;
    uint64_t rest = (uint64_t) rank;
    atm_h5_slab slab = {.start = {0}};

    for (int i = set->dimensions - 1; i >= 0; i--) {
        uint64_t processes = question->processes[i], place = rest % processes;
        uint64_t run = set->sizes[i] / question->runs[i];
        uint64_t from = (uint64_t) ((unsigned __int128) run * place / processes);
        uint64_t to = (uint64_t) ((unsigned __int128) run * (place + 1) / processes);

        rest /= processes;
        slab.start[i] = from;
        slab.stride[i] = run;
        slab.count[i] = to > from ? question->runs[i] : 0;
        slab.block[i] = to - from;
    }
    return slab;
}

int hdf5_question_parse(const option_table *table, const char *text, int ranks,
                        hdf5_question *question_p)
{
    reading r = {.question.asked.set = {.element = 8, .fill = true}};
    int code = read_text(table, text, &r);

    if (code == 0)
        code = complete(table, ranks, &r);
    if (code != 0)
        return code;
    r.question.slabs = malloc((size_t) ranks * sizeof(*r.question.slabs));
    if (r.question.slabs == NULL) {
        options_complain(table, "%s", atm_status_text(ATM_NO_MEMORY));
        return 1;
    }
    for (int i = 0; i < ranks; i++)
        r.question.slabs[i] = slab_of(&r.question, i);
    r.question.asked.slabs = r.question.slabs;
    *question_p = r.question;
    return 0;
}

void hdf5_question_release(hdf5_question *question)
{
    free(question->slabs);
}
