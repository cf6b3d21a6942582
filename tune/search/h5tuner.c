/* Configuration files of H5Tuner as advice. */

#include "h5tuner.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice/glob.h"
#include "xml.h"

enum { FILES = 64 };

static const struct {
    const char *name; /* of the element */
    atm_setting setting;
} known[] = {{"alignment", ATM_SET_HDF5_ALIGNMENT},
             {"chunk", ATM_SET_HDF5_CHUNK},
             {"chunk_size", ATM_SET_HDF5_CHUNK_BYTES},
             {"sieve_buf_size", ATM_SET_HDF5_SIEVE_BUFFER},
             {"meta_block_size", ATM_SET_HDF5_METADATA_BLOCK},
             {"cb_buffer_size", ATM_SET_CB_BUFFER_SIZE},
             {"cb_nodes", ATM_SET_CB_NODES},
             {"striping_factor", ATM_SET_STRIPING_FACTOR},
             {"striping_unit", ATM_SET_STRIPING_UNIT}};

/* What is for a file, or, the first, for all. */
typedef struct target {
    char file[ATM_ADVICE_PATTERN]; /* a pattern */
    atm_settings set;
} target;

typedef struct importing {
    const char *name;
    atm_message *message;
    size_t size;
    char *left_out;
    int count;
    target targets[FILES];
} importing;

static atm_status complain(const importing *i, const ats_xml_element *element, const char *problem)
{
    if (i->message != NULL)
        snprintf(i->message->text, sizeof(i->message->text), "%.64s:%d: %.64s: %.96s", i->name,
                 element->line, element->name, problem);
    return ATM_BAD_FILE;
}

/* --- values */

/* Numbers with commas between; returns how many, 0 if there is anything else. */
static int numbers_of(const char *text, uint64_t numbers_p[ATM_CHUNK_DIMENSIONS])
{
    int count = 0;

    while (count < ATM_CHUNK_DIMENSIONS) {
        char *end;

        text += strspn(text, " \t\r\n");
        if (*text < '0' || *text > '9')
            return 0;
        errno = 0;
        numbers_p[count++] = strtoull(text, &end, 10);
        if (errno != 0)
            return 0;
        text = end + strspn(end, " \t\r\n");
        if (*text == '\0')
            return count;
        if (*text++ != ',')
            return 0;
    }
    return 0;
}

/* As it stands in advice, whose reader knows the limits. */
static atm_status read_value(const importing *i, const ats_xml_element *element,
                             atm_setting setting, atm_settings *one_p)
{
    const char *name = atm_setting_name(setting), *dot = strchr(name, '.');
    bool several = setting == ATM_SET_HDF5_ALIGNMENT || setting == ATM_SET_HDF5_CHUNK;
    uint64_t numbers[ATM_CHUNK_DIMENSIONS];
    int count = numbers_of(element->text, numbers);
    atm_message inner = {""};
    atm_value *root = atm_value_object(), *object, *array;
    atm_status status;

    if (count == 0 || (count > 1 && !several)) {
        atm_value_destroy(root);
        return complain(i, element,
                        several ? "must be numbers with commas between" : "must be a number");
    }
    object = dot != NULL ? atm_put_object(root, "hdf5") : root;
    name = dot != NULL ? dot + 1 : name;
    if (!several) {
        atm_put_integer(object, name, (int64_t) (numbers[0] & INT64_MAX));
    } else {
        array = atm_put_array(object, name);
        for (int k = 0; k < count; k++)
            atm_put_integer(array, NULL, (int64_t) (numbers[k] & INT64_MAX));
    }
    status = atm_settings_read(root, &inner, one_p);
    atm_value_destroy(root);
    return status == ATM_BAD_FILE ? complain(i, element, inner.text) : status;
}

static void put(atm_settings *set, atm_setting setting, const atm_settings *one)
{
    set->has[setting] = true;
    set->values[setting] = one->values[setting];
    if (setting == ATM_SET_HDF5_ALIGNMENT)
        set->threshold = one->threshold;
    if (setting == ATM_SET_HDF5_CHUNK)
        memcpy(set->chunk, one->chunk, sizeof(set->chunk));
}

/* --- elements */

static target *find_target(importing *i, const ats_xml_element *element)
{
    char pattern[ATM_ADVICE_PATTERN] = "*";

    if (element->attribute_count == 0)
        return &i->targets[0];
    if (element->attribute_count > 1 || strcmp(element->attributes[0].name, "FileName") != 0 ||
        element->attributes[0].value[0] == '\0' ||
        !atm_glob_of(element->attributes[0].value, false, sizeof(pattern) - 1, pattern + 1))
        return NULL;
    for (int k = 1; k < i->count; k++)
        if (strcmp(i->targets[k].file, pattern) == 0)
            return &i->targets[k];
    if (i->count == FILES)
        return NULL;
    strcpy(i->targets[i->count].file, pattern);
    return &i->targets[i->count++];
}

static void leave_out(importing *i, const char *name)
{
    size_t length = strlen(i->left_out);

    if (length + 3 < i->size)
        snprintf(i->left_out + length, i->size - length, "%s%s", length > 0 ? ", " : "", name);
}

static atm_status take(const ats_xml_element *element, void *context)
{
    importing *i = context;
    atm_settings one;
    target *to;
    atm_status status;

    if (element->depth == 0 && strcmp(element->name, "Parameters") != 0)
        return complain(i, element, "the outermost element must be Parameters");
    if (element->depth < 2 || element->has_children)
        return ATM_OK; /* layers */
    for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
        if (strcmp(element->name, known[k].name) != 0)
            continue;
        status = read_value(i, element, known[k].setting, &one);
        if (status != ATM_OK)
            return status;
        to = find_target(i, element);
        if (to == NULL)
            return complain(i, element, "its attribute must be the FileName of one of 63 files");
        put(&to->set, known[k].setting, &one);
        return ATM_OK;
    }
    leave_out(i, element->name);
    return ATM_OK;
}

/* --- rules */

static bool sets_any(const atm_settings *set)
{
    return memchr(set->has, true, sizeof(set->has)) != NULL;
}

/* What is for all files, unless it is said for this one. */
static atm_settings whole(const importing *i, int index)
{
    atm_settings set = i->targets[index].set;

    for (int k = 0; k < ATM_SETTING_COUNT; k++)
        if (!set.has[k] && i->targets[0].set.has[k])
            put(&set, (atm_setting) k, &i->targets[0].set);
    return set;
}

static atm_status make_rules(const importing *i, atm_advice **advice_p)
{
    atm_advice *advice = calloc(1, sizeof(*advice));

    if (advice == NULL)
        return ATM_NO_MEMORY;
    advice->source = strdup(i->name);
    advice->rules = calloc((size_t) i->count, sizeof(*advice->rules));
    for (int k = 1; advice->rules != NULL && k <= i->count; k++) {
        int index = k % i->count; /* for all files comes last */
        atm_rule *rule = &advice->rules[advice->count];

        if (!sets_any(&i->targets[index].set))
            continue;
        *rule = (atm_rule){.file = strdup(i->targets[index].file),
                           .ranks = {0, UINT64_MAX},
                           .bytes = {0, UINT64_MAX},
                           .set = whole(i, index),
                           .evidence = {.source = ATM_BY_HAND}};
        if (rule->file == NULL)
            break;
        advice->count++;
    }
    if (advice->source == NULL || advice->rules == NULL) {
        atm_advice_destroy(advice);
        return ATM_NO_MEMORY;
    }
    *advice_p = advice;
    return ATM_OK;
}

atm_status ats_import_text(const char *text, size_t length, const char *name, atm_message *message,
                           size_t size, char *left_out_p, atm_advice **advice_p)
{
    importing *i = calloc(1, sizeof(*i));
    atm_status status;

    if (i == NULL)
        return ATM_NO_MEMORY;
    left_out_p[0] = '\0';
    i->name = name;
    i->message = message;
    i->size = size;
    i->left_out = left_out_p;
    i->count = 1;
    strcpy(i->targets[0].file, "*");
    status = ats_xml_read(text, length, name, take, i, message);
    if (status == ATM_OK)
        status = make_rules(i, advice_p);
    if (status == ATM_OK && (*advice_p)->count == 0) {
        atm_advice_destroy(*advice_p);
        *advice_p = NULL;
        snprintf(message->text, sizeof(message->text), "%.180s: sets nothing that is known", name);
        status = ATM_BAD_FILE;
    }
    free(i);
    return status;
}

atm_status ats_import(const char *path, atm_message *message, size_t size, char *left_out_p,
                      atm_advice **advice_p)
{
    FILE *file = fopen(path, "re");
    char *text = file != NULL ? malloc(ATS_XML_BYTES) : NULL;
    size_t length;
    atm_status status = ATM_NO_MEMORY;

    if (file == NULL) {
        snprintf(message->text, sizeof(message->text), "%.180s: %s", path, strerror(errno));
        return ATM_NO_ACCESS;
    }
    if (text != NULL) {
        length = fread(text, 1, ATS_XML_BYTES, file);
        if (ferror(file)) {
            snprintf(message->text, sizeof(message->text), "%.180s: cannot be read", path);
            status = ATM_BAD_FILE;
        } else {
            status = ats_import_text(text, length, path, message, size, left_out_p, advice_p);
        }
    }
    free(text);
    fclose(file);
    return status;
}
