/* Where jobs run, by Slurm's topology.conf: what it says, what is refused, and
 * what is said when it cannot be used. */

#include "where_help.h"

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
        for (int k = random_below(4); k >= 0; k--) {
            int at = random_below((int) sizeof(good) - 1);
            text[at] = random_below(4) == 0 ? (char) random_below(256)
                                            : bytes[random_below((int) sizeof(bytes) - 1)];
        }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slurm_file),    cmocka_unit_test(a_job_in_slurm),
        cmocka_unit_test(addresses),       cmocka_unit_test(slurm_refused),
        cmocka_unit_test(slurm_long),      cmocka_unit_test(slurm_damaged),
        cmocka_unit_test(random_switches),
    };

    return cmocka_run_group_tests_name("where, by Slurm", tests, start, end);
}
