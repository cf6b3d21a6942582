/*
 * Slurm's topology.conf (its manual page topology.conf(5)): lines of KEY=VALUE,
 * of which those with Nodes matter here.
 *
 *     SwitchName=s0 Nodes=n[0-3]
 *     SwitchName=s1 Nodes=n[4-7]
 *     SwitchName=s2 Switches=s[0-1]
 *     BlockName=b0 Nodes=n[0-3]
 *
 * Switches above the leaves are not followed.  As in Slurm, # starts a comment, a
 * \ at the end continues a line, and the case of keys does not matter.
 */

#include "where_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostlist.h"
#include "value/value_text.h"
#include "topology_inside.h"

typedef struct span {
    const char *at;
    size_t length;
} span;

/* A switch or block that has nodes. */
typedef struct leaf {
    span name, nodes; /* in the text */
} leaf;

typedef struct conf {
    const char *path;
    char *text;
    size_t length;
    int line; /* that is being read */
    leaf *leaves;
    size_t count, room;
    atm_hostlist_size size; /* of all leaves */
    atm_message *message;
} conf;

__attribute__((format(printf, 2, 3))) static atm_status complain(const conf *conf,
                                                                 const char *format, ...)
{
    char where[32] = "";
    va_list arguments;

    if (conf->line > 0)
        snprintf(where, sizeof(where), "line %d", conf->line);
    va_start(arguments, format);
    atm_message_set(conf->message, conf->path, where, format, arguments);
    va_end(arguments);
    return ATM_BAD_FILE;
}

/* --- words */

/* Where a line was continued: a blank that counts as a line. */
#define CONTINUED '\v'

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\f' || byte == CONTINUED;
}

/* Comments become blanks, and so do newlines after a backslash. */
static void blank_out(char *text, size_t length)
{
    char *slash = NULL; /* the last byte of the line but for blanks, if a \ */
    bool comment = false;

    for (char *at = text; at < text + length; at++) {
        comment = *at != '\n' && (comment || *at == '#');
        if (*at == '\n' && slash != NULL) {
            *slash = ' ';
            *at = CONTINUED;
        } else if (comment || (*at == CONTINUED)) {
            *at = ' ';
        }
        if (*at == '\\' || !is_blank(*at) || *at == CONTINUED)
            slash = *at == '\\' ? at : NULL;
    }
}

static const char *skip_blanks(const char *at, const char *end, int *line)
{
    for (; at < end && is_blank(*at); at++)
        *line += *at == CONTINUED;
    return at;
}

/* In every locale as in "C". */
static char lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char) (byte - 'A' + 'a') : byte;
}

static bool is_key_byte(char byte)
{
    return (lower(byte) >= 'a' && lower(byte) <= 'z') || (byte >= '0' && byte <= '9') ||
           byte == '_';
}

static bool is_key(span key, const char *name)
{
    size_t i = 0;

    while (i < key.length && lower(key.at[i]) == name[i])
        i++;
    return i == key.length && name[i] == '\0';
}

/* KEY=VALUE at *at_p, blanks allowed around the =, quotes around the value. */
static atm_status next_pair(conf *conf, const char **at_p, const char *end, span *key_p,
                            span *value_p)
{
    span key = {.at = *at_p}, value;
    const char *at = *at_p;

    while (at < end && is_key_byte(*at))
        at++;
    key.length = (size_t) (at - key.at);
    at = skip_blanks(at, end, &conf->line);
    if (key.length == 0 || at == end || *at != '=')
        return complain(conf, "\"%.*s\" is not the start of KEY=VALUE",
                        key.length < 40 ? (int) (key.length + (key.length == 0)) : 40, key.at);
    at = skip_blanks(at + 1, end, &conf->line);
    value.at = at;
    if (at < end && *at == '"') {
        value.at++;
        at = memchr(value.at, '"', (size_t) (end - value.at));
        if (at == NULL)
            return complain(conf, "a quotation mark is not closed");
        value.length = (size_t) (at++ - value.at);
    } else {
        while (at < end && !is_blank(*at))
            at++;
        value.length = (size_t) (at - value.at);
    }
    *at_p = at;
    *key_p = key;
    *value_p = value;
    return ATM_OK;
}

/* --- lines */

static atm_status add_leaf(conf *conf, leaf leaf)
{
    const char *problem;
    atm_hostlist_size size;

    if (leaf.name.length == 0)
        return complain(conf, "Nodes without SwitchName or BlockName");
    problem = atm_hostlist_measure(leaf.nodes.at, leaf.nodes.length, &size);
    if (problem != NULL)
        return complain(conf, "Nodes: %s", problem);
    conf->size.hosts += size.hosts;
    conf->size.bytes += size.bytes;
    if (conf->size.hosts > ATM_TOPOLOGY_MAX_NODES || conf->size.bytes > ATM_HOSTS_BYTES)
        return complain(conf, "Nodes: too many hosts");
    if (conf->count == conf->room) {
        size_t room = conf->room == 0 ? 64 : 2 * conf->room;
        struct leaf *leaves = realloc(conf->leaves, room * sizeof(*leaves));

        if (leaves == NULL)
            return ATM_NO_MEMORY;
        conf->leaves = leaves;
        conf->room = room;
    }
    conf->leaves[conf->count++] = leaf;
    return ATM_OK;
}

static atm_status read_line(conf *conf, const char *at, const char *end)
{
    leaf leaf = {.nodes = {.at = NULL}};

    for (at = skip_blanks(at, end, &conf->line); at < end; at = skip_blanks(at, end, &conf->line)) {
        span key = {.at = NULL}, value = key;
        atm_status status = next_pair(conf, &at, end, &key, &value);

        if (status != ATM_OK)
            return status;
        if (is_key(key, "switchname") || is_key(key, "blockname"))
            leaf.name = value;
        else if (is_key(key, "nodes"))
            leaf.nodes = value;
    }
    return leaf.nodes.at != NULL ? add_leaf(conf, leaf) : ATM_OK;
}

static atm_status read_lines(conf *conf)
{
    const char *at = conf->text, *end = conf->text + conf->length;
    atm_status status = ATM_OK;

    if (conf->length > ATM_MAX_BYTES)
        return complain(conf, "is too large");
    if (memchr(conf->text, '\0', conf->length) != NULL)
        return complain(conf, "has a 0 byte");
    blank_out(conf->text, conf->length);
    for (conf->line = 1; at < end && status == ATM_OK; conf->line++) {
        const char *stop = memchr(at, '\n', (size_t) (end - at));

        stop = stop != NULL ? stop : end;
        status = read_line(conf, at, stop);
        at = stop < end ? stop + 1 : end;
    }
    if (status != ATM_OK)
        return status;
    conf->line = 0;
    return conf->count > 0 ? ATM_OK : complain(conf, "no switch and no block has nodes");
}

/* --- what Slurm says of rank 0's node */

/* "s2.s0.n3" in the pattern "switch.switch.node": the leaf s0 and the node n3.
 * False where the pattern has no leaf, or is not the address's. */
static bool split_address(const char *address, const char *pattern, span *leaf_p,
                          const char **node_p)
{
    const char *node = address, *leaf = NULL;

    for (const char *dot = strchr(pattern, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        leaf = node;
        node = strchr(node, '.');
        if (node == NULL)
            return false;
        node++;
    }
    if (leaf == NULL)
        return false;
    *leaf_p = (span){.at = leaf, .length = (size_t) (node - 1 - leaf)};
    *node_p = node;
    return true;
}

/* A topology.conf that contradicts the address is another cluster's, or old. */
static atm_status check_address(const conf *conf, const atm_topology *machine, const char *address,
                                const char *pattern)
{
    const char *node;
    span name;

    if (strchr(pattern, '.') == NULL)
        return complain(conf, "Slurm does not use it: its addresses have no switches");
    if (!split_address(address, pattern, &name, &node))
        return complain(conf, "Slurm's address %.40s is not of the form %.40s", address, pattern);
    if (memchr(name.at, '[', name.length) != NULL)
        return ATM_OK; /* the node is on several switches */
    for (int i = 0; i < machine->nodes; i++) {
        span of = conf->leaves[machine->node[i].pset].name;

        if (strcmp(machine->node[i].name, node) == 0 && of.length == name.length &&
            memcmp(of.at, name.at, name.length) == 0)
            return ATM_OK;
    }
    return complain(conf, "does not have node %.40s on %.*s, as Slurm does", node,
                    name.length < 40 ? (int) name.length : 40, name.at);
}

/* --- all of it */

static atm_status make_machine(const conf *conf, atm_topology **machine_p)
{
    int nodes = (int) conf->size.hosts, node = 0;
    atm_topology *machine = topology_allocate(nodes, nodes, conf->size.bytes);
    char *name, *end;

    if (machine == NULL)
        return ATM_NO_MEMORY;
    machine->psets = (int) conf->count;
    name = end = machine->names;
    for (int pset = 0; pset < machine->psets; pset++) {
        span list = conf->leaves[pset].nodes;

        for (end = atm_hostlist_write(list.at, list.length, name); name < end;
             name += strlen(name) + 1, node++) {
            machine->node[node] = (atm_node){.name = name, .pset = pset, .hops = ATM_HOPS_UNKNOWN};
            machine->node_of[node] = node;
        }
    }
    *machine_p = machine;
    return ATM_OK;
}

atm_status where_slurm_read(const char *path, const char *address, const char *pattern,
                            atm_message *message, atm_topology **machine_p)
{
    conf conf = {.path = path, .message = message};
    atm_topology *machine = NULL;
    atm_status status = atm_text_read(path, message, &conf.text, &conf.length);

    if (status != ATM_OK)
        return status;
    status = read_lines(&conf);
    if (status == ATM_OK)
        status = make_machine(&conf, &machine);
    if (status == ATM_OK && address != NULL && pattern != NULL)
        status = check_address(&conf, machine, address, pattern);
    if (status == ATM_OK)
        *machine_p = machine;
    else
        atm_topology_destroy(machine);
    free(conf.leaves);
    free(conf.text);
    return status;
}

atm_status atm_topology_from_slurm(const char *path, atm_message *message,
                                   atm_topology **topology_p)
{
    return where_slurm_read(path, NULL, NULL, message, topology_p);
}
