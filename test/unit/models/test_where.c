/* Where jobs run: topology files, names, and what is said when a file cannot be
 * used. */

#include "where_help.h"

#include "place/place.h"

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
    atm_request request = {.nics = -1, .job = {.mpich = 50001}};
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
    assert_int_equal(request.job.ranks, 4);
    assert_int_equal(request.job.mpich, 50001);
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
            int number = random_below(different);
            bool full = random_below(8) == 0;
            snprintf(names[k], sizeof(names[k]), "n%0*d%s", digits, number, full ? ".site" : "");
            host[k] = names[k];
        }
        topology = expect(&place, ATM_WHERE_NAMES, "placed by node names");
        check_nodes(topology, host);
        assert_int_equal(topology->psets, 1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bridges_first),        cmocka_unit_test(what_a_file_says),
        cmocka_unit_test(files_passed_over),    cmocka_unit_test(long_reasons),
        cmocka_unit_test(short_and_full_names), cmocka_unit_test(callers_node_map),
        cmocka_unit_test(bad_places),           cmocka_unit_test(random_hosts),
        cmocka_unit_test(bluegene_by_file),
    };

    return cmocka_run_group_tests_name("where", tests, start, end);
}
