/*
 * PBS (OpenPBS, PBS Pro, Torque): what "qstat -f" prints, a block for each job:
 *
 *     Job Id: 4711.server
 *         job_state = R
 *         queue = batch
 *         resources_used.vmem = 8kb
 *
 * with long values continued on lines that start with a tab, which none of ours has.
 */

#include "jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    jobs_job job;
    bool running;
} block;

/* "4", and of Resource_List.nodes also "4:ppn=16+2:ppn=8" and "nid1+nid2" */
static double count_nodes(const char *value)
{
    double nodes = 0;

    for (const char *part = value; part != NULL; part = strchr(part, '+')) {
        char *end;
        double number;

        part += *part == '+';
        number = strtod(part, &end);
        nodes += end != part && number >= 1 ? number : 1;
    }
    return nodes;
}

static bool set_attribute(block *block, const char *key, const char *value)
{
    jobs_job *job = &block->job;

    if (strcmp(key, "job_state") == 0)
        block->running = strcmp(value, "R") == 0;
    else if (strcmp(key, "queue") == 0)
        snprintf(job->queue, sizeof(job->queue), "%.63s", value);
    else if (strcmp(key, "Resource_List.nodect") == 0)
        job->nodes = count_nodes(value);
    else if (strcmp(key, "Resource_List.nodes") == 0 && job->nodes == 0)
        job->nodes = count_nodes(value);
    else if (strcmp(key, "resources_used.walltime") == 0)
        return jobs_parse_time(value, &job->used);
    else if (strcmp(key, "Resource_List.walltime") == 0)
        return jobs_parse_time(value, &job->limit);
    else if (strcmp(key, "resources_used.vmem") == 0)
        return jobs_parse_memory(value, 1, &job->virtual_memory);
    else if (strcmp(key, "resources_used.mem") == 0)
        return jobs_parse_memory(value, 1, &job->memory);
    return true;
}

static void end_block(const block *block, const jobs_site *site, jobs_features *features)
{
    if (block->running)
        jobs_add(features, site, &block->job);
}

/* "    key = value"; false for a line of ours with a value that makes no sense */
static bool take_line(block *block, const char *line, char key_p[64])
{
    char value[128];

    if (line[0] == '\t' || sscanf(line, " %63[^ =] = %127[^\n]", key_p, value) != 2)
        return true;
    return set_attribute(block, key_p, value);
}

atm_status jobs_parse_pbs(const char *text, const jobs_site *site, const char *name,
                          atm_message *message, jobs_features *features_p)
{
    jobs_features features = {{0}};
    block block = {.running = false};

    for (int number = 1; *text != '\0'; number++) {
        size_t length = strcspn(text, "\n");
        char line[512], key[64];

        snprintf(line, sizeof(line), "%.*s", (int) (length < 500 ? length : 500), text);
        text += length + (text[length] == '\n');
        if (strncmp(line, "Job Id:", 7) == 0) {
            end_block(&block, site, &features);
            memset(&block, 0, sizeof(block));
        } else if (!take_line(&block, line, key)) {
            snprintf(message->text, sizeof(message->text), "%.40s: line %d: %.60s: %.80s", name,
                     number, key, "is no time or size");
            return ATM_BAD_FILE;
        }
    }
    end_block(&block, site, &features);
    *features_p = features;
    return ATM_OK;
}
