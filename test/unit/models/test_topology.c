/* Topologies: from text, from JSON, of a job; and what is refused. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "place/topology.h"

static atm_topology *from_text(const char *text)
{
    atm_topology *topology = NULL;
    atm_message message = {""};

    if (atm_topology_from_text(text, &message, &topology) != ATM_OK)
        fail_msg("%s", message.text);
    return topology;
}

static atm_status from_json(const char *text, atm_message *message, atm_topology **topology_p)
{
    atm_value *document = NULL;
    atm_status status = atm_value_parse(text, strlen(text), "t.json", message, &document);

    if (status == ATM_OK)
        status = atm_topology_from_value(document, message, topology_p);
    atm_value_destroy(document);
    return status;
}

static void text_of_a_machine(void **state)
{
    atm_topology *topology = from_text("psets:4 nodes:32 bridges:2 ranks:16");

    (void) state;
    assert_int_equal(topology->psets, 4);
    assert_int_equal(topology->nodes, 128);
    assert_int_equal(topology->ranks, 2048);
    assert_int_equal(topology->bridges, 8);
    for (int i = 0; i < 128; i++) {
        assert_int_equal(topology->node[i].pset, i / 32);
        assert_int_equal(topology->node[i].bridge, i % 16 == 0);
        assert_int_equal(topology->node[i].hops, i % 16 == 0 ? 0 : ATM_HOPS_UNKNOWN);
        assert_null(topology->node[i].name);
    }
    assert_int_equal(topology->node_of[0], 0);
    assert_int_equal(topology->node_of[16], 1);
    assert_int_equal(topology->node_of[2047], 127);
    atm_topology_destroy(topology);
}

static void text_order_and_defaults(void **state)
{
    atm_topology *topology = from_text(" ranks:3\tnodes:7\n");

    (void) state;
    assert_int_equal(topology->psets, 1);
    assert_int_equal(topology->nodes, 7);
    assert_int_equal(topology->ranks, 21);
    assert_int_equal(topology->bridges, 0);
    atm_topology_destroy(topology);
}

/* floor(i x 7 / 3) */
static void text_uneven_bridges(void **state)
{
    static const bool bridge[] = {true, false, true, false, true, false, false};
    atm_topology *topology = from_text("nodes:7 bridges:3");

    (void) state;
    for (int i = 0; i < 7; i++)
        assert_int_equal(topology->node[i].bridge, bridge[i]);
    atm_topology_destroy(topology);
}

static void text_refused(void **state)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", "topology text: nodes is missing, as in nodes:32"},
        {"psets:4", "topology text: nodes is missing, as in nodes:32"},
        {"nodes", "topology text: \"nodes\": needs a number, as in nodes:32"},
        {"nodes:", "topology text: \"nodes:\": not a number, or out of range"},
        {"nodes:0", "topology text: \"nodes:0\": not a number, or out of range"},
        {"nodes:-1", "topology text: \"nodes:-1\": not a number, or out of range"},
        {"nodes:3x", "topology text: \"nodes:3x\": not a number, or out of range"},
        {"nodes:99999999999999999999",
         "topology text: \"nodes:99999999999999999999\": not a number, or out of range"},
        {"nodes:2 nodes:2", "topology text: \"nodes:2\": given twice"},
        {"nodes:2 cores:2",
         "topology text: \"cores:2\": unknown; there are psets, nodes, bridges and ranks"},
        {"nodes:2 bridges:3", "topology text: a pset has more bridges than nodes"},
        {"psets:1048576 nodes:2", "topology text: too many nodes"},
        {"psets:1024 nodes:1024 ranks:17", "topology text: too many ranks"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        atm_topology *topology = NULL;
        atm_message message = {""};

        assert_int_equal(atm_topology_from_text(wrong[i].text, &message, &topology), ATM_BAD_FILE);
        assert_string_equal(message.text, wrong[i].says);
        assert_int_equal(atm_topology_from_text(wrong[i].text, NULL, &topology), ATM_BAD_FILE);
        assert_null(topology);
    }
}

#define HEAD "{\"format\": \"romio-autotune-topology\", \"version\": 1, "

static const char machine_json[] =
    HEAD "\"ranks_per_node\": 2, \"psets\": ["
         "{\"nodes\": [{\"name\": \"a0\", \"bridge\": true}, {\"name\": \"a1\", \"hops\": 1},"
         "             {\"name\": \"a2\", \"hops\": 2, \"ranks\": 5}]},"
         "{\"nodes\": [{\"name\": \"b0\", \"hops\": 4}, {\"name\": \"b1\", \"hops\": 3}, {}]},"
         "{\"nodes\": [{\"name\": \"c0\", \"hops\": 1}, {\"name\": \"c1\", \"hops\": 1}]}]}";

static atm_topology *machine(void)
{
    atm_topology *topology = NULL;
    atm_message message = {""};

    if (from_json(machine_json, &message, &topology) != ATM_OK)
        fail_msg("%s", message.text);
    return topology;
}

static void json_of_a_machine(void **state)
{
    static const int hops[] = {0, 1, 2, 4, 3, ATM_HOPS_UNKNOWN, 1, 1};
    static const bool bridge[] = {true, false, false, false, true, false, false, false};
    static const int pset[] = {0, 0, 0, 1, 1, 1, 2, 2};
    atm_topology *topology = machine();

    (void) state;
    assert_int_equal(topology->psets, 3);
    assert_int_equal(topology->nodes, 8);
    assert_int_equal(topology->ranks, 7 * 2 + 5);
    assert_int_equal(topology->bridges, 2);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(topology->node[i].pset, pset[i]);
        assert_int_equal(topology->node[i].hops, hops[i]);
        assert_int_equal(topology->node[i].bridge, bridge[i]);
    }
    assert_string_equal(topology->node[4].name, "b1");
    assert_null(topology->node[5].name);
    assert_int_equal(topology->node_of[3], 1);
    assert_int_equal(topology->node_of[4], 2);
    assert_int_equal(topology->node_of[8], 2);
    assert_int_equal(topology->node_of[9], 3);
    atm_topology_destroy(topology);
}

static void json_refused(void **state)
{
    static const struct {
        const char *text, *field;
    } wrong[] = {
        {"[]", "t.json"},
        {"{\"version\": 1, \"psets\": []}", "format"},
        {"{\"format\": \"romio-autotune-profile\", \"version\": 1, \"psets\": []}", "format"},
        {"{\"format\": \"romio-autotune-topology\", \"version\": 2, \"psets\": []}", "version"},
        {HEAD "\"psets\": []}", "psets"},
        {HEAD "\"psets\": [{}]}", "nodes"},
        {HEAD "\"psets\": [{\"nodes\": []}]}", "nodes"},
        {HEAD "\"psets\": [{\"nodes\": [1]}]}", "nodes"},
        {HEAD "\"psets\": [{\"nodes\": [{\"hops\": -1}]}]}", "hops"},
        {HEAD "\"psets\": [{\"nodes\": [{\"hops\": 1.5}]}]}", "hops"},
        {HEAD "\"psets\": [{\"nodes\": [{\"bridge\": 1}]}]}", "bridge"},
        {HEAD "\"psets\": [{\"nodes\": [{\"bridgs\": true}]}]}", "bridgs"},
        {HEAD "\"psets\": [{\"nodes\": [{\"ranks\": 0}]}]}", "no ranks"},
        {HEAD "\"ranks_per_node\": 10000000, \"psets\": [{\"nodes\": [{}, {}]}]}", "too many"},
        {HEAD "\"psets\": [{\"nodes\": [{\"name\": \"x\"}, {\"name\": \"x\"}]}]}",
         "node x is listed twice"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        atm_topology *topology = NULL;
        atm_message message = {""};

        assert_int_equal(from_json(wrong[i].text, &message, &topology), ATM_BAD_FILE);
        assert_null(topology);
        assert_non_null(strstr(message.text, "t.json"));
        if (strstr(message.text, wrong[i].field) == NULL)
            fail_msg("\"%s\" does not name %s", message.text, wrong[i].field);
    }
}

/* Pset a without its bridge, and a node that nobody knows. */
static void part_of_a_machine(void **state)
{
    static const char *const names[] = {"c1", "a2", "zz", "a1", "b1"};
    static const int node_of[] = {0, 0, 1, 2, 3, 4, 4};
    static const int pset[] = {2, 0, 3, 0, 1};
    static const bool bridge[] = {false, false, false, true, true};
    atm_topology *all = machine(), *job = NULL;

    (void) state;
    assert_int_equal(atm_topology_for_job(all, 5, names, 7, node_of, &job), ATM_OK);
    atm_topology_destroy(all);
    assert_int_equal(job->psets, 4);
    assert_int_equal(job->nodes, 5);
    assert_int_equal(job->ranks, 7);
    assert_int_equal(job->bridges, 2);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(job->node[i].name, names[i]);
        assert_int_equal(job->node[i].pset, pset[i]);
        assert_int_equal(job->node[i].bridge, bridge[i]);
    }
    assert_memory_equal(job->node_of, node_of, sizeof(node_of));
    atm_topology_destroy(job);
}

static void empty_psets_left_out(void **state)
{
    static const char *const names[] = {"zz", "c0"};
    static const int node_of[] = {1, 0};
    atm_topology *all = machine(), *job = NULL;

    (void) state;
    assert_int_equal(atm_topology_for_job(all, 2, names, 2, node_of, &job), ATM_OK);
    assert_int_equal(job->psets, 2);
    assert_int_equal(job->node[0].pset, 1);
    assert_int_equal(job->node[1].pset, 0);
    atm_topology_destroy(job);
    atm_topology_destroy(all);
}

static void bad_jobs(void **state)
{
    static const char *const names[] = {"a0"};
    static const int beyond[] = {0, 1}, negative[] = {-1};
    atm_topology *all = machine(), *job = NULL;

    (void) state;
    assert_int_equal(atm_topology_for_job(all, 1, names, 2, beyond, &job), ATM_BAD_ARGUMENT);
    assert_int_equal(atm_topology_for_job(all, 1, names, 1, negative, &job), ATM_BAD_ARGUMENT);
    assert_int_equal(atm_topology_for_job(all, 0, names, 1, beyond, &job), ATM_BAD_ARGUMENT);
    assert_int_equal(atm_topology_for_job(all, 1, names, 0, beyond, &job), ATM_BAD_ARGUMENT);
    assert_null(job);
    atm_topology_destroy(all);
    atm_topology_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_of_a_machine),
        cmocka_unit_test(text_order_and_defaults),
        cmocka_unit_test(text_uneven_bridges),
        cmocka_unit_test(text_refused),
        cmocka_unit_test(json_of_a_machine),
        cmocka_unit_test(json_refused),
        cmocka_unit_test(part_of_a_machine),
        cmocka_unit_test(empty_psets_left_out),
        cmocka_unit_test(bad_jobs),
    };

    return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
