/* The topology of a job, from the first source that lists all its hosts. */

#include "where_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value/value_text.h"
#include "near.h"
#include "topology_inside.h"

/* A machine that lists no node: all hosts share a pset. */
static const atm_topology nothing_known;

typedef struct search {
    const atm_job_place *place;
    int nodes;
    const char *const *name; /* [nodes] */
    const int *node_of;      /* [ranks] */
    atm_message problems[2]; /* of the sources that were skipped */
    int problem_count;
} search;

/* --- sources: a machine, or what is wrong with the file */

static atm_status read_file(const atm_job_place *place, atm_message *problem,
                            atm_topology **machine_p)
{
    atm_value *document = NULL;
    atm_status status = atm_value_read(place->topology_file, problem, &document);

    if (status == ATM_OK)
        status = atm_topology_from_value(document, problem, machine_p);
    atm_value_destroy(document);
    return status;
}

static atm_status read_slurm(const atm_job_place *place, atm_message *problem,
                             atm_topology **machine_p)
{
    return where_slurm_read(place->slurm_conf_topology, place->slurm_topology_addr,
                            place->slurm_topology_pattern, problem, machine_p);
}

__attribute__((format(printf, 3, 4))) static void say(atm_message *message, const char *name,
                                                      const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    atm_message_set(message, name, "", format, arguments);
    va_end(arguments);
}

/* ATM_BAD_FILE or ATM_NO_ACCESS and a problem if the next source is to be tried. */
static atm_status try_source(search *search, const char *path,
                             atm_status (*read)(const atm_job_place *, atm_message *,
                                                atm_topology **),
                             atm_topology **job_p)
{
    atm_message *problem = &search->problems[search->problem_count];
    atm_topology *machine, *job;
    int unlisted;
    atm_status status = read(search->place, problem, &machine);

    if (status == ATM_OK) {
        status = topology_for_job(machine, search->nodes, search->name, search->place->ranks,
                                  search->node_of, &unlisted, &job);
        atm_topology_destroy(machine);
        if (status == ATM_OK && unlisted >= 0) {
            say(problem, path, "no node matches host %.64s", search->name[unlisted]);
            atm_topology_destroy(job);
            status = ATM_BAD_FILE;
        }
    }
    if (status == ATM_OK)
        *job_p = job;
    else
        search->problem_count++;
    return status;
}

static bool next_source(atm_status status)
{
    return status == ATM_BAD_FILE || status == ATM_NO_ACCESS;
}

static atm_status find(search *search, atm_where *where_p, atm_topology **job_p)
{
    const atm_job_place *place = search->place;
    atm_status status = ATM_NO_ACCESS;
    int unlisted;

    if (place->topology_file != NULL) {
        *where_p = ATM_WHERE_FILE;
        status = try_source(search, place->topology_file, read_file, job_p);
    }
    if (next_source(status) && place->slurm_conf_topology != NULL) {
        *where_p = ATM_WHERE_SLURM;
        status = try_source(search, place->slurm_conf_topology, read_slurm, job_p);
    }
    if (next_source(status)) {
        *where_p = ATM_WHERE_NAMES;
        status = topology_for_job(&nothing_known, search->nodes, search->name, place->ranks,
                                  search->node_of, &unlisted, job_p);
    }
    return status;
}

/* --- what is said about it */

enum { SOURCE_ROOM = 72 };

static void describe_source(const atm_job_place *place, atm_where where, char text[SOURCE_ROOM])
{
    const char *path = where == ATM_WHERE_FILE ? place->topology_file : place->slurm_conf_topology;
    size_t length, room = SOURCE_ROOM - sizeof("Slurm's ...");

    if (where == ATM_WHERE_NAMES) {
        strcpy(text, "node names");
        return;
    }
    length = strlen(path);
    snprintf(text, SOURCE_ROOM, "%s%s%s", where == ATM_WHERE_SLURM ? "Slurm's " : "",
             length > room ? "..." : "", length > room ? path + length - room : path);
}

/* Problems are cut so that the end is there. */
static void describe(const search *search, atm_where where, atm_message *reason)
{
    const atm_message *problems = search->problems;
    int count = search->problem_count, room;
    char source[SOURCE_ROOM];

    describe_source(search->place, where, source);
    room = (int) (sizeof(reason->text) - strlen(source) - sizeof("; ; placed by "));
    if (count == 0)
        say(reason, "", "placed by %s", source);
    else if (count == 1)
        say(reason, "", "%.*s; placed by %s", room, problems[0].text, source);
    else
        say(reason, "", "%.*s; %.*s; placed by %s", room / 2, problems[0].text, room / 2,
            problems[1].text, source);
}

/* --- all of it */

static bool is_sound(const atm_job_place *place)
{
    int hosts = place->node_of != NULL ? place->nodes : place->ranks;

    if (place->ranks < 1 || place->ranks > ATM_TOPOLOGY_MAX_RANKS || hosts < 1 ||
        place->host == NULL || place->nics < 0)
        return false;
    for (int i = 0; i < hosts; i++)
        if (place->host[i] == NULL)
            return false;
    return true;
}

atm_status atm_topology_of_job(const atm_job_place *place, atm_message *reason, atm_where *where_p,
                               atm_topology **topology_p)
{
    where_nodes own = {.nodes = place->nodes};
    search search = {.place = place, .name = place->host, .node_of = place->node_of};
    atm_topology *job = NULL;
    atm_where where;
    atm_status status;

    if (!is_sound(place))
        return ATM_BAD_ARGUMENT;
    if (place->node_of == NULL) {
        status = where_nodes_make(place->ranks, place->host, &own);
        if (status != ATM_OK)
            return status;
        search.name = own.name;
        search.node_of = own.node_of;
    }
    search.nodes = own.nodes;
    status = find(&search, &where, &job);
    if (status == ATM_OK) {
        for (int i = 0; i < job->nodes; i++)
            if (job->node[i].nics == 0)
                job->node[i].nics = place->nics;
        describe(&search, where, reason);
        *where_p = where;
        *topology_p = job;
    }
    free(own.name);
    free(own.node_of);
    return status;
}

int atm_topology_nics(const atm_topology *topology)
{
    int fewest = topology->node[0].nics;

    for (int i = 1; i < topology->nodes; i++)
        if (topology->node[i].nics < fewest)
            fewest = topology->node[i].nics;
    return fewest;
}

void atm_request_set_topology(atm_request *request, const atm_topology *topology)
{
    int mpich = request->job.mpich;

    request->job = atm_job_of(topology);
    request->job.mpich = mpich;
    request->access.affinity = 0;
    if (request->access.interleaved && request->access.holders.count > 0 && request->job.groups > 1)
        atm_affinity(topology, &request->access, &request->access.affinity);
    request->psets = topology->psets;
    request->bridges = topology->bridges;
    request->nics = atm_topology_nics(topology);
}
