#include "jobs.h"
#include "formats/formats.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const jobs_names[JOBS_FEATURES] = {
    "total",       "batch", "debug",       "extra_large", "large",          "medium", "small",
    "extra_small", "new",   "middle_aged", "old",         "virtual_memory", "memory"};

/* --- a site's queues and classes */

void jobs_site_default(jobs_site *site_p)
{
    *site_p = (jobs_site){
        .batch = {1, {"batch"}}, .debug = {1, {"debug"}}, .nodes = {11250, 3750, 313, 126}};
}

static atm_status read_queues(const atm_value *root, const char *key, atm_message *message,
                              jobs_queues *queues_p)
{
    const atm_value *array;
    jobs_queues queues = {.count = 0};
    atm_status status = atm_get_array(root, key, 0, JOBS_QUEUES, message, &array);

    for (size_t i = 0; status == ATM_OK && i < atm_value_length(array); i++) {
        const atm_value *item = atm_value_item(array, i);
        const char *name;

        status = atm_get_string(item, NULL, message, &name);
        if (status == ATM_OK && strlen(name) >= JOBS_QUEUE_NAME)
            status = atm_complain(item, NULL, message, "is longer than the name of a queue");
        if (status == ATM_OK)
            strcpy(queues.names[queues.count++], name);
    }
    if (status == ATM_OK)
        *queues_p = queues;
    return status;
}

static atm_status read_nodes(const atm_value *root, atm_message *message, int nodes_p[JOBS_CLASSES])
{
    static const char *const keys[] = {"extra_large", "large", "medium", "small", NULL};
    const atm_value *object;
    int64_t above = INT32_MAX;
    atm_status status = atm_get_object(root, "nodes", message, &object);

    if (status == ATM_OK)
        status = atm_check_keys(object, keys, message);
    for (int i = 0; status == ATM_OK && i < JOBS_CLASSES; i++) {
        int64_t fewest;

        status = atm_get_integer(object, keys[i], 1, INT32_MAX, message, &fewest);
        if (status == ATM_OK && fewest > above)
            status = atm_complain(object, keys[i], message, "is more than %s", keys[i - 1]);
        if (status == ATM_OK)
            nodes_p[i] = (int) (above = fewest);
    }
    return status;
}

atm_status jobs_site_read(const char *path, atm_message *message, jobs_site *site_p)
{
    static const char *const keys[] = {"format", "version", "batch", "debug", "nodes", NULL};
    jobs_site site;
    atm_value *root;
    int version;
    atm_status status = atm_value_read(path, message, &root);

    if (status != ATM_OK)
        return status;
    status = atm_check_format(root, JOBS_FORMAT, JOBS_VERSION, message, &version);
    if (status == ATM_OK)
        status = atm_check_keys(root, keys, message);
    if (status == ATM_OK)
        status = read_queues(root, "batch", message, &site.batch);
    if (status == ATM_OK)
        status = read_queues(root, "debug", message, &site.debug);
    if (status == ATM_OK)
        status = read_nodes(root, message, site.nodes);
    if (status == ATM_OK)
        *site_p = site;
    atm_value_destroy(root);
    return status;
}

/* --- counting */

static bool in_queue(const jobs_queues *queues, const char *name)
{
    for (int i = 0; i < queues->count; i++)
        if (strcmp(queues->names[i], name) == 0)
            return true;
    return false;
}

static jobs_feature size_of(const jobs_site *site, double nodes)
{
    for (int i = 0; i < JOBS_CLASSES; i++)
        if (nodes >= site->nodes[i])
            return (jobs_feature) (JOBS_EXTRA_LARGE + i);
    return JOBS_EXTRA_SMALL;
}

/* A job without a limit has used none of it. */
static jobs_feature age_of(const jobs_job *job)
{
    if (job->limit <= 0 || 3 * job->used < job->limit)
        return JOBS_NEW;
    return 3 * job->used < 2 * job->limit ? JOBS_MIDDLE_AGED : JOBS_OLD;
}

void jobs_add(jobs_features *features, const jobs_site *site, const jobs_job *job)
{
    double *value = features->value;

    value[JOBS_TOTAL]++;
    value[JOBS_BATCH] += in_queue(&site->batch, job->queue);
    value[JOBS_DEBUG] += in_queue(&site->debug, job->queue);
    value[size_of(site, job->nodes)]++;
    value[age_of(job)]++;
    value[JOBS_VIRTUAL_MEMORY] += job->virtual_memory;
    value[JOBS_MEMORY] += job->memory;
}

/* --- times and sizes as batch systems print them */

static bool is_no_limit(const char *text)
{
    static const char *const words[] = {"UNLIMITED", "NOT_SET", "INVALID", "Partition_Limit",
                                        "N/A"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

bool jobs_parse_time(const char *text, double *seconds_p)
{
    double seconds = 0, days = 0;
    int parts = 0;
    char *end;

    if (is_no_limit(text)) {
        *seconds_p = 0;
        return true;
    }
    for (;;) {
        unsigned long number;

        if (!isdigit((unsigned char) *text))
            return false;
        number = strtoul(text, &end, 10);
        if (*end == '-' && parts == 0 && days == 0) {
            days = (double) number;
        } else {
            seconds = 60 * seconds + (double) number;
            if (++parts > 3)
                return false;
        }
        if (*end == '\0')
            break;
        if (*end != ':' && !(*end == '-' && parts == 0))
            return false;
        text = end + 1;
    }
    if (days > 0) /* then hours come first */
        for (; parts < 3; parts++)
            seconds *= 60;
    *seconds_p = 86400 * days + seconds;
    return true;
}

bool jobs_parse_memory(const char *text, double unit, double *bytes_p)
{
    static const char letters[] = "kmgtp";
    char *end;
    double number = strtod(text, &end);
    const char *letter;

    if (end == text || !(number >= 0) || number > 1e18)
        return false;
    letter = *end != '\0' ? strchr(letters, tolower((unsigned char) *end)) : NULL;
    if (letter != NULL) {
        unit = 1;
        for (const char *at = letters; at <= letter; at++)
            unit *= 1024;
        end++;
    } else if (tolower((unsigned char) *end) == 'b') {
        unit = 1;
    }
    if (tolower((unsigned char) *end) == 'b')
        end++;
    if (*end != '\0')
        return false;
    *bytes_p = number * unit;
    return true;
}
