/* Where jobs run: host lists, topology files, Slurm's topology.conf, names, and what
 * is said when one of them cannot be used. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "atm_hostlist.h"
#include "atm_place.h"
#include "atm_where.h"

enum { CASES = 10000, HOSTS_MAX = 1024, PATH_ROOM = 512 };

/* --- helpers */

static const char *data(const char *name)
{
    static char path[PATH_ROOM];
    const char *top = getenv("top_srcdir");

    snprintf(path, sizeof(path), "%s/test/models/data/topologies/%s", top ? top : ".", name);
    return path;
}

static char scratch[] = "/tmp/test_where.XXXXXX";

static int scratch_file;

/* Not replaced by fopen: some file systems then wait for the disk. */
static void write_scratch(const void *text, size_t length)
{
    assert_int_equal(pwrite(scratch_file, text, length, 0), length);
    assert_int_equal(ftruncate(scratch_file, (off_t) length), 0);
}

/* The hosts of a list, each for `each` ranks in a row. */
typedef struct hosts {
    char names[HOSTS_MAX * 32];
    const char *host[HOSTS_MAX * 16];
    int ranks;
} hosts;

static void hosts_make(const char *list, int each, hosts *hosts_p)
{
    atm_hostlist_size size;
    char *name = hosts_p->names, *end;

    assert_null(atm_hostlist_measure(list, strlen(list), &size));
    assert_true(size.bytes <= sizeof(hosts_p->names) && size.hosts <= HOSTS_MAX && each <= 16);
    end = atm_hostlist_write(list, strlen(list), name);
    hosts_p->ranks = 0;
    for (; name < end; name += strlen(name) + 1)
        for (int i = 0; i < each; i++)
            hosts_p->host[hosts_p->ranks++] = name;
}

/* place, with the reason that it must give */
static atm_topology *expect(const atm_job_place *place, atm_where where, const char *reason)
{
    atm_message said = {""};
    atm_topology *topology = NULL;
    atm_where found;

    assert_int_equal(atm_topology_of_job(place, &said, &found, &topology), ATM_OK);
    if (reason != NULL)
        assert_string_equal(said.text, reason);
    assert_int_equal(found, where);
    assert_int_equal(topology->ranks, place->ranks);
    return topology;
}

/* The end of a path as messages have it. */
static const char *short_path(const char *path)
{
    static char text[64];
    size_t length = strlen(path);

    snprintf(text, sizeof(text), length < 64 ? "%.63s" : "...%.60s",
             length < 64 ? path : path + length - 60);
    return text;
}

/* --- host lists */

static void good_lists(void **state)
{
    static const struct {
        const char *list, *names;
    } good[] = {
        {"n1", "n1 "},
        {"n1,n2.site,x", "n1 n2.site x "},
        {"n[1-3]", "n1 n2 n3 "},
        {"n[1-2,7]", "n1 n2 n7 "},
        {"n[08-11]", "n08 n09 n10 n11 "},
        {"n[8-11]", "n8 n9 n10 n11 "},
        {"n[008-10]", "n008 n009 n010 "},
        {"n[0-0]", "n0 "},
        {"r[0-1]n[1-2]x", "r0n1x r0n2x r1n1x r1n2x "},
        {"[1-2],a[3]b,c", "1 2 a3b c "},
        {"n[1-2][0-1]", "n10 n11 n20 n21 "},
        {"n[7,5]", "n7 n5 "},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        char names[256], *end;
        atm_hostlist_size size = {0};
        size_t hosts = 0, length = strlen(good[i].list);

        assert_null(atm_hostlist_measure(good[i].list, length, &size));
        assert_true(size.bytes <= sizeof(names));
        end = atm_hostlist_write(good[i].list, length, names);
        assert_true((size_t) (end - names) <= size.bytes);
        for (char *at = names; at < end; at++)
            if (*at == '\0') {
                *at = ' ';
                hosts++;
            }
        *end = '\0';
        assert_string_equal(names, good[i].names);
        assert_int_equal(hosts, size.hosts);
    }
}

static void bad_lists(void **state)
{
    static const struct {
        const char *list, *problem;
    } bad[] = {
        {"", "a name is empty"},
        {"n1,", "a name is empty"},
        {",n1", "a name is empty"},
        {"n1 n2", "a space or a control character in a name"},
        {"n[", "[ without ]"},
        {"n[1-2", "[ without ]"},
        {"n1]", "] without ["},
        {"n[]", "empty brackets"},
        {"n[1[2]]", "a range is not a number or two"},
        {"n[a-b]", "a range is not a number or two"},
        {"n[1-]", "a range is not a number or two"},
        {"n[-1]", "a range is not a number or two"},
        {"n[1-2-3]", "a range is not a number or two"},
        {"n[1,]", "a range is missing after a comma"},
        {"n[4-1]", "a range ends before it starts"},
        {"n[0-999999999]", "too many hosts"},
        {"n[0-999999999999999999]", "too many hosts"},
        {"n[0-1048575],m", "too many hosts"},
        {"n[0-9999]m[0-9999]", "too many hosts"},
        {"n[0-99999999999999999999]", "a number is too long"},
        {"[1][1][1][1][1][1][1][1][1]", "too many brackets"},
    };
    char name[ATM_HOST_MAX + 2];
    atm_hostlist_size size = {0};

    (void) state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const char *problem = atm_hostlist_measure(bad[i].list, strlen(bad[i].list), &size);

        assert_non_null(problem);
        assert_string_equal(problem, bad[i].problem);
    }
    memset(name, 'x', sizeof(name));
    assert_null(atm_hostlist_measure(name, ATM_HOST_MAX, &size));
    assert_string_equal(atm_hostlist_measure(name, ATM_HOST_MAX + 1, &size), "a name is too long");
}

/* --- topology files */

static void check_even(const atm_topology *topology, const int *ranks)
{
    int in_pset[8] = {0};

    for (int i = 0; i < topology->ranks; i++) {
        int least = topology->ranks, most = 0;

        in_pset[topology->node[topology->node_of[ranks[i]]].pset]++;
        for (int k = 0; k < topology->psets; k++) {
            least = in_pset[k] < least ? in_pset[k] : least;
            most = in_pset[k] > most ? in_pset[k] : most;
        }
        assert_true(most - least <= 1);
    }
}

/* 16 ranks on 8 nodes: bridges first, one rank on each, then the others. */
static void check_bridges_first(const char *list, int bridges)
{
    atm_job_place place = {.topology_file = data("four-psets.json")};
    const atm_topology *topology;
    bool taken[8] = {false};
    hosts hosts;
    int ranks[16];

    hosts_make(list, 2, &hosts);
    place.ranks = hosts.ranks;
    place.host = hosts.host;
    topology = expect(&place, ATM_WHERE_FILE, NULL);
    assert_int_equal(topology->ranks, 16);
    assert_int_equal(topology->nodes, 8);
    assert_int_equal(topology->psets, 4);
    assert_int_equal(topology->bridges, bridges);
    assert_int_equal(atm_place(topology, atm_policy_at(0), 16, ranks), ATM_OK);
    for (int i = 0; i < 8; i++) {
        int node = topology->node_of[ranks[i]];

        assert_int_equal(topology->node[node].bridge, i < bridges);
        assert_false(taken[node]);
        taken[node] = true;
    }
    check_even(topology, ranks);
    atm_topology_destroy((atm_topology *) topology);
}

static void bridges_first(void **state)
{
    (void) state;
    check_bridges_first("a[0-1],b[0-1],c[0-1],d[0-1]", 8);
    check_bridges_first("d3,a0,b2,c1,a2,b1,d0,c3", 4);
    check_bridges_first("d3.site,a0.site,b2.site,c1.site,a2.site,b1.site,d0.site,c3.site", 4);
}

static void what_a_file_says(void **state)
{
    static const char unsaid[] = "{\"format\": \"romio-autotune-topology\", \"version\": 1, "
                                 "\"psets\": [{\"nodes\": [{\"name\": \"a[0-3],d[0-3]\"}]}]}";
    atm_job_place place = {.topology_file = data("four-psets.json"), .nics = 7};
    atm_topology *topology;
    atm_request request = {.nics = -1};
    char reason[256];
    hosts hosts;

    (void) state;
    hosts_make("a0,d1,a3,d1", 1, &hosts);
    place.ranks = hosts.ranks;
    place.host = hosts.host;
    topology = expect(&place, ATM_WHERE_FILE, NULL);
    assert_int_equal(topology->nodes, 3);
    assert_int_equal(topology->psets, 2);
    assert_int_equal(topology->node_of[3], 1);
    assert_int_equal(topology->node[2].hops, 1);
    atm_request_set_topology(&request, topology);
    assert_int_equal(request.psets, 2);
    assert_int_equal(request.bridges, 2);
    assert_int_equal(request.nics, 2);
    atm_topology_destroy(topology);

    hosts.host[1] = "d3"; /* has fewer */
    topology = expect(&place, ATM_WHERE_FILE, NULL);
    atm_request_set_topology(&request, topology);
    assert_int_equal(request.nics, 1);
    atm_topology_destroy(topology);

    place.topology_file = NULL;
    topology = expect(&place, ATM_WHERE_NAMES, "placed by node names");
    atm_request_set_topology(&request, topology);
    assert_int_equal(request.psets, 1);
    assert_int_equal(request.bridges, 0);
    assert_int_equal(request.nics, 7);
    atm_topology_destroy(topology);

    write_scratch(unsaid, sizeof(unsaid) - 1);
    place.topology_file = scratch;
    snprintf(reason, sizeof(reason), "placed by %s", scratch);
    topology = expect(&place, ATM_WHERE_FILE, reason);
    assert_int_equal(topology->node[0].nics, 7);
    atm_topology_destroy(topology);
}

/* Every file that cannot be used, and what is said then. */
static void files_passed_over(void **state)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", NULL},
        {"{", NULL},
        {"{\"format\": \"romio-autotune-topology\", \"version\": 2}",
         "version: must be an integer from 1 to 1; placed by node names"},
        {"{\"format\": \"romio-autotune-topology\", \"version\": 1, \"psets\": [{\"nodes\": "
         "[{\"name\": \"n[0-\"}]}]}",
         "psets[0].nodes[0].name: [ without ]; placed by node names"},
        {"{\"format\": \"romio-autotune-topology\", \"version\": 1, \"psets\": [{\"nodes\": "
         "[{\"name\": \"n[0-99999999]\"}]}]}",
         "psets[0].nodes[0].name: too many hosts; placed by node names"},
        {"{\"format\": \"romio-autotune-topology\", \"version\": 1, \"psets\": [{\"nodes\": "
         "[{\"name\": \"n[0-9]\"}, {\"name\": \"n3\"}]}]}",
         "psets: node n3 is listed twice; placed by node names"},
        {"{\"format\": \"romio-autotune-topology\", \"version\": 1, \"psets\": [{\"nodes\": "
         "[{\"name\": \"n0\", \"nics\": 0}]}]}",
         NULL},
        {"{\"format\": \"romio-autotune-topology\", \"version\": 1, \"psets\": [{\"nodes\": "
         "[{\"name\": \"n[0-6]\"}]}]}",
         "no node matches host n7; placed by node names"},
        {"{\"format\": \"romio-autotune-topology\", \"version\": 1, \"psets\": [{\"nodes\": "
         "[{\"name\": \"m[0-7]\"}]}]}",
         "no node matches host n0; placed by node names"},
    };
    atm_job_place place = {.topology_file = scratch};
    hosts hosts;

    (void) state;
    hosts_make("n[0-7]", 2, &hosts);
    place.ranks = hosts.ranks;
    place.host = hosts.host;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        char reason[256];
        atm_topology *topology;

        snprintf(reason, sizeof(reason), "%s: %s", scratch, wrong[i].says);
        write_scratch(wrong[i].text, strlen(wrong[i].text));
        topology = expect(&place, ATM_WHERE_NAMES, wrong[i].says != NULL ? reason : NULL);
        assert_int_equal(topology->nodes, 8);
        assert_int_equal(topology->psets, 1);
        assert_int_equal(topology->bridges, 0);
        atm_topology_destroy(topology);
    }
    place.topology_file = "/nowhere/topology.json";
    atm_topology_destroy(expect(&place, ATM_WHERE_NAMES,
                                "/nowhere/topology.json: cannot be opened: No such file or "
                                "directory; placed by node names"));
    place.slurm_conf_topology = "/nowhere/topology.conf";
    atm_topology_destroy(
        expect(&place, ATM_WHERE_NAMES,
               "/nowhere/topology.json: cannot be opened: No such file or directory; "
               "/nowhere/topology.conf: cannot be opened: No such file or directory; "
               "placed by node names"));
    place.topology_file = "/";
    atm_topology_destroy(expect(&place, ATM_WHERE_NAMES, NULL));
}

/* Long paths and problems leave room for the conclusion. */
static void long_reasons(void **state)
{
    char path[1024], reason[256];
    const char *host = "n0";
    atm_job_place place = {.ranks = 1, .host = &host};
    atm_message said;
    atm_topology *topology;
    atm_where where;

    (void) state;
    memset(path, 'x', sizeof(path));
    path[0] = '/';
    path[sizeof(path) - 1] = '\0';
    place.topology_file = place.slurm_conf_topology = path;
    assert_int_equal(atm_topology_of_job(&place, &said, &where, &topology), ATM_OK);
    assert_non_null(strstr(said.text, "; placed by node names"));
    atm_topology_destroy(topology);
    assert_int_equal(atm_topology_of_job(&place, NULL, &where, &topology), ATM_OK);
    atm_topology_destroy(topology);

    place.topology_file = NULL;
    place.slurm_conf_topology = data("topology.conf");
    snprintf(reason, sizeof(reason), "%s: no node matches host n0; placed by node names",
             short_path(place.slurm_conf_topology));
    atm_topology_destroy(expect(&place, ATM_WHERE_NAMES, reason));
}

/* --- names */

static void short_and_full_names(void **state)
{
    static const struct {
        const char *listed, *host;
        bool same;
    } cases[] = {
        {"n1", "n1", true},      {"n1", "n1.site", true},    {"n1.site", "n1", true},
        {"n1.site", "n1", true}, {"n1.a", "n1.b", false},    {"n1", "n10", false},
        {"n10", "n1", false},    {"n1.a,n1.b", "n1", false}, {"n1.a,n1.b", "n1.b", true},
        {"n1-x,n1", "n1", true}, {"n1-x,n1.s", "n1", true},  {"n1.a,n1", "n1.b", true},
        {"n", "", false},        {"n1.a.b", "n1", true},     {"n1.a", "n1.a.b", false},
        {"n1", "N1", false},     {"n0,n1,n2", "n1.x", true},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        atm_job_place place = {.ranks = 1, .host = &cases[i].host, .slurm_conf_topology = scratch};
        char text[256];

        snprintf(text, sizeof(text), "SwitchName=s Nodes=%s", cases[i].listed);
        write_scratch(text, strlen(text));
        atm_topology_destroy(
            expect(&place, cases[i].same ? ATM_WHERE_SLURM : ATM_WHERE_NAMES, NULL));
    }
}

static void callers_node_map(void **state)
{
    static const char *const names[] = {"same", "same"};
    static const int node_of[] = {1, 0, 1}, beyond[] = {0, 2, 0};
    atm_job_place place = {.ranks = 3, .host = names, .nodes = 2, .node_of = node_of};
    atm_topology *topology = expect(&place, ATM_WHERE_NAMES, "placed by node names");
    atm_where where;

    (void) state;
    assert_int_equal(topology->nodes, 2);
    assert_memory_equal(topology->node_of, node_of, sizeof(node_of));
    atm_topology_destroy(topology);
    place.node_of = beyond;
    assert_int_equal(atm_topology_of_job(&place, NULL, &where, &topology), ATM_BAD_ARGUMENT);
}

static void bad_places(void **state)
{
    static const char *const names[] = {"a", NULL};
    const atm_job_place wrong[] = {
        {.ranks = 0, .host = names},
        {.ranks = -1, .host = names},
        {.ranks = 1},
        {.ranks = 2, .host = names},
        {.ranks = 1, .host = names, .nics = -1},
        {.ranks = 1, .host = names, .node_of = (const int[]){0}},
        {.ranks = ATM_TOPOLOGY_MAX_RANKS + 1, .host = names},
    };
    atm_topology *topology = NULL;
    atm_where where;

    (void) state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_int_equal(atm_topology_of_job(&wrong[i], NULL, &where, &topology), ATM_BAD_ARGUMENT);
    assert_null(topology);
}

static uint64_t seed;

static int random_below(int limit)
{
    seed ^= seed << 13; /* xorshift64 */
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (int) (seed % (uint64_t) limit);
}

/* Nodes are numbered by lowest rank, and ranks share one if names are equal. */
static void check_nodes(const atm_topology *topology, const char *const *host)
{
    int nodes = 0;

    for (int i = 0; i < topology->ranks; i++) {
        int first = 0;

        while (strcmp(host[first], host[i]) != 0)
            first++;
        assert_int_equal(topology->node_of[i], first == i ? nodes++ : topology->node_of[first]);
        assert_string_equal(topology->node[topology->node_of[i]].name, host[i]);
    }
    assert_int_equal(topology->nodes, nodes);
}

static void random_hosts(void **state)
{
    enum { MOST = 48 };
    char names[MOST][24];
    const char *host[MOST];

    (void) state;
    seed = 20154;
    for (int i = 0; i < CASES; i++) {
        atm_job_place place = {.ranks = 1 + random_below(MOST), .host = host};
        int different = 1 + random_below(MOST), digits = 1 + random_below(4);
        atm_topology *topology;

        for (int k = 0; k < place.ranks; k++) {
            snprintf(names[k], sizeof(names[k]), "n%0*d%s", digits, random_below(different),
                     random_below(8) == 0 ? ".site" : "");
            host[k] = names[k];
        }
        topology = expect(&place, ATM_WHERE_NAMES, "placed by node names");
        check_nodes(topology, host);
        assert_int_equal(topology->psets, 1);
        atm_topology_destroy(topology);
    }
}

/* --- Slurm */

static int pset_of(const atm_topology *topology, const char *name)
{
    for (int i = 0; i < topology->nodes; i++)
        if (strcmp(topology->node[i].name, name) == 0)
            return topology->node[i].pset;
    fail_msg("no node %s", name);
    return -1;
}

static void a_slurm_file(void **state)
{
    atm_topology *machine = NULL;
    atm_message message = {""};

    (void) state;
    assert_int_equal(atm_topology_from_slurm(data("topology.conf"), &message, &machine), ATM_OK);
    assert_int_equal(machine->psets, 3);
    assert_int_equal(machine->nodes, 14);
    assert_int_equal(machine->ranks, 14);
    assert_int_equal(machine->bridges, 0);
    assert_int_equal(pset_of(machine, "n010"), 0);
    assert_int_equal(pset_of(machine, "n007"), 1);
    assert_int_equal(pset_of(machine, "r2n1"), 2);
    assert_int_equal(pset_of(machine, "login.site"), 2);
    atm_topology_destroy(machine);
    assert_int_equal(atm_topology_from_slurm(data("blocks.conf"), &message, &machine), ATM_OK);
    assert_int_equal(machine->psets, 2);
    assert_int_equal(pset_of(machine, "n4"), 1);
    atm_topology_destroy(machine);
}

static void a_job_in_slurm(void **state)
{
    atm_job_place place = {.topology_file = "/nowhere"};
    atm_topology *topology;
    hosts hosts;

    (void) state;
    hosts_make("r1n[0-1],n[004-005],login", 2, &hosts);
    place.ranks = hosts.ranks;
    place.host = hosts.host;
    place.slurm_conf_topology = data("topology.conf");
    topology = expect(&place, ATM_WHERE_SLURM, NULL);
    assert_int_equal(topology->psets, 2);
    assert_int_equal(pset_of(topology, "n004"), 0);
    assert_int_equal(pset_of(topology, "r1n1"), 1);
    assert_int_equal(pset_of(topology, "login"), 1);
    atm_topology_destroy(topology);
}

/* Slurm's own word on rank 0's node against the file. */
static void addresses(void **state)
{
    static const struct {
        const char *address, *pattern, *says;
    } cases[] = {
        {"top.middle.leaf1.n004", "switch.switch.switch.node", NULL},
        {"top.middle.leaf1.n004", NULL, NULL},
        {NULL, "switch.node", NULL},
        {"top.middle.leaf[0-1].n004", "switch.switch.switch.node", NULL},
        {"top.middle.leaf0.n004", "switch.switch.switch.node",
         "does not have node n004 on leaf0, as Slurm does"},
        {"new.n004", "switch.node", "does not have node n004 on new, as Slurm does"},
        {"leaf1", "switch.node", "Slurm's address leaf1 is not of the form switch.node"},
        {"n004", "node", "Slurm does not use it: its addresses have no switches"},
        {"", "", "Slurm does not use it: its addresses have no switches"},
        {"...", "...", "does not have node  on , as Slurm does"},
    };
    atm_job_place place = {.ranks = 0};
    hosts hosts;

    (void) state;
    hosts_make("n[004-005]", 1, &hosts);
    place.ranks = hosts.ranks;
    place.host = hosts.host;
    place.slurm_conf_topology = data("topology.conf");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char reason[256];

        place.slurm_topology_addr = cases[i].address;
        place.slurm_topology_pattern = cases[i].pattern;
        snprintf(reason, sizeof(reason), "%s: %s; placed by node names",
                 short_path(place.slurm_conf_topology), cases[i].says);
        atm_topology_destroy(expect(&place, cases[i].says ? ATM_WHERE_NAMES : ATM_WHERE_SLURM,
                                    cases[i].says ? reason : NULL));
    }
}

static void slurm_refused(void **state)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", "no switch and no block has nodes"},
        {"# nothing\n", "no switch and no block has nodes"},
        {"SwitchName=a Switches=b\nSwitchName=b Switches=a\n", "no switch and no block has nodes"},
        {"Include other.conf\n", "line 1: \"Include\" is not the start of KEY=VALUE"},
        {"\n\n=x\n", "line 3: \"=\" is not the start of KEY=VALUE"},
        {"SwitchName=a \\\n \\  \n Nodes\n", "line 3: \"Nodes\" is not the start of KEY=VALUE"},
        {"Nodes=n[0-7]\n", "line 1: Nodes without SwitchName or BlockName"},
        {"SwitchName=a Nodes=", "line 1: Nodes: a name is empty"},
        {"SwitchName=a Nodes=\"n1", "line 1: a quotation mark is not closed"},
        {"SwitchName=a Nodes=n[0-7", "line 1: Nodes: [ without ]"},
        {"SwitchName=a Nodes=n[0-7]]", "line 1: Nodes: ] without ["},
        {"SwitchName=a Nodes=n[0-999999999]", "line 1: Nodes: too many hosts"},
        {"SwitchName=a Nodes=n[0-1048575]\nSwitchName=b Nodes=m", "line 2: Nodes: too many hosts"},
    };
    atm_message message;
    atm_topology *machine = NULL;

    (void) state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        char says[256];

        write_scratch(wrong[i].text, strlen(wrong[i].text));
        assert_int_equal(atm_topology_from_slurm(scratch, &message, &machine), ATM_BAD_FILE);
        snprintf(says, sizeof(says), "%s: %s", scratch, wrong[i].says);
        assert_string_equal(message.text, says);
        assert_int_equal(atm_topology_from_slurm(scratch, NULL, &machine), ATM_BAD_FILE);
    }
    write_scratch("SwitchName=a Nodes=n1\0\n", 23);
    assert_int_equal(atm_topology_from_slurm(scratch, &message, &machine), ATM_BAD_FILE);
    assert_non_null(strstr(message.text, ": has a 0 byte"));
    assert_null(machine);
}

/* A line of a million bytes, and a file that is too large. */
static void slurm_long(void **state)
{
    static const char head[] = "SwitchName=a Nodes=x";
    size_t length = (size_t) ATM_MAX_BYTES + 1;
    char *text = malloc(length);
    atm_topology *machine;
    atm_message message;

    (void) state;
    assert_non_null(text);
    memset(text, ' ', length);
    memcpy(text, head, sizeof(head) - 1);
    write_scratch(text, length);
    assert_int_equal(atm_topology_from_slurm(scratch, &message, &machine), ATM_BAD_FILE);
    assert_non_null(strstr(message.text, ": is too large"));
    write_scratch(text, length - 1);
    assert_int_equal(atm_topology_from_slurm(scratch, &message, &machine), ATM_OK);
    assert_int_equal(machine->nodes, 1);
    atm_topology_destroy(machine);
    for (size_t i = sizeof(head) - 1; i + 1 < length; i += 2)
        memcpy(text + i, ",y", 2);
    write_scratch(text, 1000000);
    assert_int_equal(atm_topology_from_slurm(scratch, &message, &machine), ATM_OK);
    assert_int_equal(machine->nodes, 1 + (1000000 - (int) sizeof(head) + 1) / 2);
    atm_topology_destroy(machine);
    memset(text + sizeof(head) - 1, 'z', length - sizeof(head) + 1);
    write_scratch(text, 1000000);
    assert_int_equal(atm_topology_from_slurm(scratch, &message, &machine), ATM_BAD_FILE);
    assert_non_null(strstr(message.text, "line 1: Nodes: a name is too long"));
    free(text);
}

/* A good file with random bytes changed: used or passed over, nothing else. */
static void slurm_damaged(void **state)
{
    static const char good[] = "SwitchName=s0 Nodes=n[0-3],m[08-11]x[1-2] # x\n"
                               "BlockName=\"b\" \\\n Nodes=n[4-7]\nSwitchName=t Switches=s[0-1]\n";
    static const char bytes[] = "[]-,=\"\\#\n 019n\t\v";
    const char *host = "n5";
    atm_job_place place = {.ranks = 1, .host = &host, .slurm_conf_topology = scratch};
    int used = 0;

    (void) state;
    seed = 20155;
    for (int i = 0; i < 3000; i++) {
        char text[sizeof(good)];
        atm_topology *topology;
        atm_message said;
        atm_where where;

        memcpy(text, good, sizeof(good));
        for (int k = random_below(4); k >= 0; k--)
            text[random_below((int) sizeof(good) - 1)] =
                random_below(4) == 0 ? (char) random_below(256)
                                     : bytes[random_below((int) sizeof(bytes) - 1)];
        write_scratch(text, (size_t) (1 + random_below((int) sizeof(good) - 1)));
        assert_int_equal(atm_topology_of_job(&place, &said, &where, &topology), ATM_OK);
        assert_int_equal(topology->nodes, 1);
        used += where == ATM_WHERE_SLURM;
        atm_topology_destroy(topology);
    }
    assert_in_range(used, 1, 2999);
}

/* Hosts dealt to switches at random come back in psets that are these switches. */
static void random_switches(void **state)
{
    enum { HOSTS = 40, SWITCHES = 6 };

    (void) state;
    seed = 20156;
    for (int i = 0; i < 500; i++) {
        char text[2048], *end = text, names[HOSTS][16];
        const char *host[HOSTS];
        atm_job_place place = {.ranks = HOSTS, .host = host, .slurm_conf_topology = scratch};
        int on[HOSTS], used = 0, seen[SWITCHES] = {0};
        atm_topology *topology;

        for (int k = 0; k < HOSTS; k++) {
            on[k] = random_below(SWITCHES);
            used += seen[on[k]]++ == 0;
            snprintf(names[k], sizeof(names[k]), "n%03d", k);
            host[k] = names[k];
        }
        for (int s = 0; s < SWITCHES; s++) {
            end += sprintf(end, "SwitchName=s%d Nodes=spare%d,n[999", s, s);
            for (int k = 0; k < HOSTS; k++)
                if (on[k] == s)
                    end += sprintf(end, ",%03d-%03d", k, k);
            end += sprintf(end, "]\n");
        }
        write_scratch(text, (size_t) (end - text));
        topology = expect(&place, ATM_WHERE_SLURM, NULL);
        assert_int_equal(topology->psets, used);
        for (int k = 1; k < HOSTS; k++)
            for (int l = 0; l < k; l++)
                assert_int_equal(topology->node[k].pset == topology->node[l].pset, on[k] == on[l]);
        atm_topology_destroy(topology);
    }
}

/* --- Blue Gene/Q */

/* Equation 2 on 256 nodes with 16 bridges: bridge g serves 256 ranks, and ROMIO's
 * list is that of test_place.c. */
static void bluegene_by_file(void **state)
{
    static const int shares[] = {2, 4, 16, 64};
    atm_job_place place = {.topology_file = data("bluegene.json")};
    atm_topology *topology;
    int ranks[4096];
    hosts hosts;

    (void) state;
    hosts_make("R00-M0-N[00-07]-J[00-31]", 16, &hosts);
    place.ranks = hosts.ranks;
    place.host = hosts.host;
    topology = expect(&place, ATM_WHERE_FILE, NULL);
    assert_int_equal(topology->ranks, 4096);
    assert_int_equal(topology->psets, 2);
    assert_int_equal(topology->bridges, 16);
    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
        int share = shares[i], *next = ranks;

        assert_int_equal(
            atm_place(topology, atm_policy_by_name("bluegene"), 16 * (share + 1), ranks), ATM_OK);
        for (int g = 15; g >= 0; g--)
            assert_int_equal(*next++, g * 256);
        for (int g = 15; g >= 0; g--)
            for (int k = 0; k < share; k++)
                assert_int_equal(*next++, g * 256 + (k > 0 ? k * (256 / share) : 255));
    }
    atm_topology_destroy(topology);
}

static int start(void **state)
{
    (void) state;
    scratch_file = mkstemp(scratch);
    return scratch_file < 0;
}

static int end(void **state)
{
    (void) state;
    return close(scratch_file) != 0 || unlink(scratch) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_lists),
        cmocka_unit_test(bad_lists),
        cmocka_unit_test(bridges_first),
        cmocka_unit_test(what_a_file_says),
        cmocka_unit_test(files_passed_over),
        cmocka_unit_test(long_reasons),
        cmocka_unit_test(short_and_full_names),
        cmocka_unit_test(callers_node_map),
        cmocka_unit_test(bad_places),
        cmocka_unit_test(random_hosts),
        cmocka_unit_test(a_slurm_file),
        cmocka_unit_test(a_job_in_slurm),
        cmocka_unit_test(addresses),
        cmocka_unit_test(slurm_refused),
        cmocka_unit_test(slurm_long),
        cmocka_unit_test(slurm_damaged),
        cmocka_unit_test(random_switches),
        cmocka_unit_test(bluegene_by_file),
    };

    return cmocka_run_group_tests_name("where", tests, start, end);
}
