/*
 * Slurm: a line for each running job, of JOBS_SLURM_FORMAT (jobs_system.h): partition, nodes,
 * time used, time limit, allocated resources, separated by blanks.
 *
 * Not squeue's JSON: that has some kilobytes for every job, also those that wait, and numbers
 * are plain ones in Slurm 22.05 and objects later, while these columns have long been there.
 *
 * Slurm does not tell what running jobs use of their memory, to others at least: both features
 * are what is allocated.
 */

#include "jobs.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atm_status complain(const char *name, int line, atm_message *message, const char *format,
                           ...) __attribute__((format(printf, 4, 5)));
/* Problems have words of what was read, and end up on terminals. */
static atm_status complain(const char *name, int line, atm_message *message, const char *format,
                           ...)
{
    va_list arguments;
    char problem[160];

    va_start(arguments, format);
    vsnprintf(problem, sizeof(problem), format, arguments);
    va_end(arguments);
    for (char *at = problem; *at != '\0'; at++)
        if (iscntrl((unsigned char) *at))
            *at = '?';
    snprintf(message->text, sizeof(message->text), "%.40s: line %d: %s", name, line, problem);
    return ATM_BAD_FILE;
}

/* "cpu=64,mem=250G,node=2,billing=64"; none is no memory */
static bool memory_of(const char *resources, double *bytes_p)
{
    const char *at = strncmp(resources, "mem=", 4) == 0 ? resources : strstr(resources, ",mem=");
    char text[32];

    *bytes_p = 0;
    if (at == NULL)
        return true;
    at = strchr(at, '=') + 1;
    snprintf(text, sizeof(text), "%.*s", (int) strcspn(at, ","), at);
    return jobs_parse_memory(text, 1 << 20, bytes_p);
}

static atm_status parse_line(const char *text, const char *name, int line, atm_message *message,
                             jobs_job *job_p)
{
    char queue[JOBS_QUEUE_NAME], nodes[32], used[32], limit[32], resources[1024] = "";
    jobs_job job;
    char *end;

    if (sscanf(text, "%63s %31s %31s %31s %1023s", queue, nodes, used, limit, resources) < 4)
        return complain(name, line, message, "has fewer than 4 columns");
    job.nodes = strtod(nodes, &end);
    if (*end != '\0' || !(job.nodes >= 0))
        return complain(name, line, message, "nodes: %s is no number", nodes);
    if (!jobs_parse_time(used, &job.used))
        return complain(name, line, message, "time used: %s is no time", used);
    if (!jobs_parse_time(limit, &job.limit))
        return complain(name, line, message, "time limit: %s is no time", limit);
    if (!memory_of(resources, &job.memory))
        return complain(name, line, message, "memory: %.80s is no size", resources);
    job.virtual_memory = job.memory;
    strcpy(job.queue, queue);
    *job_p = job;
    return ATM_OK;
}

atm_status jobs_parse_slurm(const char *text, const jobs_site *site, const char *name,
                            atm_message *message, jobs_features *features_p)
{
    jobs_features features = {{0}};
    atm_status status = ATM_OK;

    for (int line = 1; status == ATM_OK && *text != '\0'; line++) {
        size_t length = strcspn(text, "\n");
        char row[2048];
        jobs_job job;

        snprintf(row, sizeof(row), "%.*s", (int) length, text);
        text += length + (text[length] == '\n');
        if (row[strspn(row, " \t\r")] == '\0')
            continue;
        status = parse_line(row, name, line, message, &job);
        if (status == ATM_OK)
            jobs_add(&features, site, &job);
    }
    if (status == ATM_OK)
        *features_p = features;
    return status;
}
