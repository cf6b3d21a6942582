/* Decisions: equal in equal situations, also in those that were written and read again. */

#include "choose_help.h"

#include "decide/decide.h"
#include "decide/look.h"
#include "decide/situation_file.h"
#include "files/asked.h"
#include "place/place.h"

enum { TARGETS = 12, NOW = 1000, RANKS = 12 * 6 };

/* --- any situation */

typedef struct any {
    atm_situation situation;
    atm_topology *topology;
    int *ranks;
    atm_rule rule;
    atm_advice advice;
    atm_target targets[TARGETS];
    atm_state state;
    int settled[4];
    atm_past past;
} any;

static atm_topology *any_topology(void)
{
    int nodes = 1 + random_below(12), ranks = nodes * (1 + random_below(6)), *node_of;
    int psets = 1 + random_below(nodes);
    atm_node *node = calloc((size_t) nodes, sizeof(*node));
    atm_topology *topology = NULL;

    node_of = malloc((size_t) ranks * sizeof(*node_of));
    for (int i = 0; i < nodes; i++) {
        node[i].pset = i * psets / nodes;
        node[i].hops = random_below(3) - 1;
        node[i].nics = random_below(3);
        node[i].bridge = random_below(4) == 0;
    }
    for (int i = 0, way = random_below(3); i < ranks; i++)
        node_of[i] = i < nodes || way == 0 ? i % nodes
                     : way == 1            ? (i - nodes) * nodes / ranks
                                           : random_below(nodes);
    assert_int_equal(atm_topology_of_nodes(nodes, node, ranks, node_of, &topology), ATM_OK);
    free(node);
    free(node_of);
    return topology;
}

static atm_access any_access(int ranks)
{
    uint64_t pieces = 1 + (uint64_t) random_below(64);
    atm_access access = contiguous(ranks, pieces * random_size(20));

    access.write = random_below(2);
    access.new_file = access.write && random_below(2);
    if (random_below(2))
        make_strided(&access, access.bytes_min / pieces);
    access.dirty = random_below(3) == 0 ? random_size(30) : 0;
    access.cached = !access.write && random_below(2) ? random_size(24) : 0;
    access.warm = random_below(2) ? random_size(24) : 0;
    access.holders.count = access.interleaved ? random_below(ATM_HOLDERS + 1) : 0;
    for (int i = 0; i < access.holders.count; i++) {
        access.holders.from[i] = random_bits() % access.bytes;
        access.holders.to[i] = random_bits() % access.bytes;
    }
    return access;
}

static void give_advice(any *any)
{
    any->rule = (atm_rule){.ranks = {0, UINT64_MAX}, .bytes = {0, UINT64_MAX}, .control = 0.3};
    any->rule.set.has[ATM_SET_CB_NODES] = true;
    any->rule.set.values[ATM_SET_CB_NODES] = 1 + (uint64_t) random_below(8);
    any->advice = (atm_advice){.source = (char *) "test", .count = 1, .rules = &any->rule};
    any->situation.advice = &any->advice;
    any->situation.occasion =
        (atm_occasion){.program = "p", .user = "u", .file = "f", .draw = random_below(10) / 10.0};
}

static void give_state(any *any)
{
    atm_storage *storage = &any->situation.storage;

    for (int i = 0; i < TARGETS; i++) {
        any->targets[i] = (atm_target){.index = i,
                                       .said = NOW,
                                       .until = NOW + 300,
                                       .usual = 0.75,
                                       .paces = {atm_pace_of(1, 0.05), atm_pace_of(3, 0.05)}};
        any->targets[i].usable = random_below(8) > 0;
        any->targets[i].idle = random_below(2) ? 0.02 : 0.98;
    }
    any->state = (atm_state){.path = (char *) "/scratch",
                             .source = (char *) "test",
                             .said = NOW,
                             .until = NOW + 300,
                             .count = TARGETS,
                             .targets = any->targets};
    *storage = (atm_storage){.state = &any->state, .now = NOW + 1, .seed = random_bits()};
    if (any->situation.request.new_layout)
        return;
    storage->targets = any->settled;
    storage->count = 4;
    for (int i = 0; i < 4; i++)
        any->settled[i] = random_below(TARGETS);
}

/* The call is looked at as the driver does: the factors are those of its past until then. */
static void give_past(any *any)
{
    atm_situation *situation = &any->situation;
    atm_past *past = &any->past;

    *past = (atm_past){.access = situation->request.access,
                       .config = situation->request.defaults,
                       .calls = 1 + random_below(3),
                       .uncertainty = 0.3,
                       .scale = situation->scale};
    past->rule = random_below(3) == 0 ? random_below(3) : 0;
    past->called = random_below(2);
    past->small = random_below(20);
    for (int i = 0; i < ATM_PART_COUNT; i++)
        past->parts[i] = random_below(100) / 7.0;
    past->measured.calls = random_below(3);
    past->measured.seconds = random_below(300) / 7.0;
    past->measured.storage_seconds = random_below(100) / 7.0;
    past->drain = random_below(2);
    if (random_below(3) == 0)
        past->access.bytes *= (uint64_t) (1 + random_below(20));
    situation->past = past;
    situation->look = atm_look_at(situation, past, &situation->scale);
}

static void make_any(any *any, const atm_profile *profile)
{
    static const atm_driver drivers[] = {ATM_UFS, ATM_NFS, ATM_GPFS, ATM_LUSTRE};
    atm_driver driver = drivers[random_below(4)];
    atm_request *request = &any->situation.request;
    int nodes;

    memset(any, 0, sizeof(*any));
    any->topology = any_topology();
    nodes = any->topology->nodes;
    *request = request_for(driver, nodes, 1, 1, profile);
    request->mode = random_below(2) ? ATM_ENABLE : ATM_AUTOMATIC;
    request->job = (atm_job){.mpich = random_below(2) ? 40002 : 40202};
    request->access = any_access(any->topology->ranks);
    request->life.calls = random_below(2) ? 0 : random_below(100);
    request->life.idle = random_below(10) / 7.0;
    request->fixed = random_below(3) == 0 ? random_bits() & ((1u << ATM_FIX_COUNT) - 1) : 0;
    request->fixed_order = request->fixed >> ATM_FIX_AGGREGATORS & 1;
    request->new_layout = driver == ATM_LUSTRE && request->access.write && random_below(2);
    request->new_targets = request->new_layout;
    request->memory = random_below(3) == 0 ? random_size(26) : 0;
    request->servers = driver == ATM_LUSTRE ? TARGETS : 0;
    any->ranks = malloc((size_t) any->topology->ranks * sizeof(*any->ranks));
    for (int i = 0; i < nodes; i++)
        any->ranks[i] = i; /* each on a node of its own */
    any->situation.topology = any->topology;
    any->situation.ranks = any->ranks;
    any->situation.profile = profile;
    any->situation.scale = (atm_scale){{1, 1}, {0, 0}};
    any->situation.scale.factor[ATM_STORAGE_KIND] += random_below(5) / 3.0;
    any->situation.scale.doubt[ATM_STORAGE_KIND] = random_below(2) / 9.0;
    if (random_below(3) == 0)
        give_advice(any);
    if (random_below(3) == 0)
        give_state(any);
    if (random_below(2) == 0)
        give_past(any);
}

static void clear_any(any *any)
{
    atm_topology_destroy(any->topology);
    free(any->ranks);
}

/* --- written and read */

static void write_and_read(const atm_situation *situation, atm_replayed *replayed_p)
{
    atm_value *root = atm_value_object(), *again;
    atm_message message = {""};
    char hash[ATM_HASH], *text;
    size_t length;

    assert_int_equal(atm_profile_hash(situation->profile, hash), ATM_OK);
    atm_put_situation(root, "situation", situation, hash);
    assert_int_equal(atm_value_print_line(root, &text, &length), ATM_OK);
    assert_int_equal(atm_value_parse(text, length, "test", &message, &again), ATM_OK);
    if (atm_get_situation(again, "situation", &message, replayed_p) != ATM_OK)
        fail_msg("%s in %s", message.text, text);
    assert_string_equal(replayed_p->profile, hash);
    replayed_p->situation.profile = situation->profile;
    atm_value_destroy(root);
    atm_value_destroy(again);
    free(text);
}

static void assert_same_config(const atm_config *one, const atm_config *other)
{
    atm_value *root = atm_value_object();
    char *text[2];
    size_t length;

    atm_put_fields(atm_put_object(root, "one"), atm_whole_config_fields, one);
    atm_put_fields(atm_put_object(root, "other"), atm_whole_config_fields, other);
    assert_int_equal(atm_value_print_line(atm_value_find(root, "one"), &text[0], &length), ATM_OK);
    assert_int_equal(atm_value_print_line(atm_value_find(root, "other"), &text[1], &length),
                     ATM_OK);
    assert_string_equal(text[0], text[1]);
    free(text[0]);
    free(text[1]);
    atm_value_destroy(root);
}

static void assert_same(const atm_decision *one, const atm_decision *other)
{
    assert_same_config(&one->answer.chosen.config, &other->answer.chosen.config);
    assert_true(one->answer.chosen.prediction.seconds == other->answer.chosen.prediction.seconds);
    assert_string_equal(one->answer.reason.text, other->answer.reason.text);
    assert_int_equal(one->tuned, other->tuned);
    assert_true(one->buffer == other->buffer);
    assert_int_equal(one->target_count, other->target_count);
    if (one->targets != NULL)
        assert_memory_equal(one->targets, other->targets, (size_t) one->target_count * sizeof(int));
    assert_int_equal(one->refused, other->refused);
}

static void assert_same_look(const atm_situation *situation, bool has_past,
                             int looks[ATM_LOOK_COUNT])
{
    atm_scale scale;

    assert_true((situation->past != NULL) == has_past);
    if (!has_past)
        return;
    scale = situation->past->scale;
    assert_int_equal(atm_look_at(situation, situation->past, &scale), situation->look);
    assert_memory_equal(&scale, &situation->scale, sizeof(scale));
    looks[situation->look]++;
}

static void replayed_decisions_are_the_same(void **state)
{
    atm_profile *profile = simple_profile(1e-4, 1e-9, 0.1);
    int decided = 0, tuned = 0, steered = 0, advised = 0, looks[ATM_LOOK_COUNT] = {0};

    (void) state;
    seed = 20261119;
    for (int i = 0; i < 1000; i++) {
        atm_replayed replayed;
        atm_decision one, other;
        int ranks[2][RANKS] = {{0}};
        atm_status status;
        any any;

        make_any(&any, profile);
        status = atm_decide(&any.situation, NULL, ranks[0], &one);
        write_and_read(&any.situation, &replayed);
        assert_same_look(&replayed.situation, any.situation.past != NULL, looks);
        assert_int_equal(atm_decide(&replayed.situation, NULL, ranks[1], &other), status);
        if (status == ATM_OK) {
            assert_same(&one, &other);
            assert_memory_equal(ranks[0], ranks[1], sizeof(ranks[0]));
            decided++;
            tuned += one.tuned;
            steered += one.targets != NULL;
            advised += one.advised.fixed != 0;
            atm_decision_clear(&one);
            atm_decision_clear(&other);
        }
        atm_replayed_clear(&replayed);
        clear_any(&any);
    }
    print_message("# %d decided, %d tuned, %d with targets, %d advised\n", decided, tuned, steered,
                  advised);
    assert_true(decided > 700 && tuned > 100 && steered > 5 && advised > 50);
    for (int i = 0; i < ATM_LOOK_COUNT; i++) {
        print_message("# %d calls: %s\n", looks[i], atm_look_name((atm_look) i));
        assert_true(looks[i] > 5);
    }
    atm_profile_destroy(profile);
}

/* --- what a decision is made of */

/* Eight ranks on two nodes, a strided write over two aggregators. */
static atm_situation usual(const atm_profile *profile, const atm_topology *topology)
{
    static const int ranks[] = {0, 4};
    atm_situation situation = {.request = request_for(ATM_UFS, 2, 4, MIB, profile),
                               .topology = topology,
                               .ranks = ranks,
                               .profile = profile,
                               .scale = {{1, 1}, {0, 0}}};

    make_strided(&situation.request.access, 64 << 10);
    return situation;
}

static atm_topology *topology_from(const char *text)
{
    atm_topology *topology = NULL;

    assert_int_equal(atm_topology_from_text(text, NULL, &topology), ATM_OK);
    return topology;
}

static void answers_are_of_their_situation(void **state)
{
    atm_profile *profile = simple_profile(1e-4, 1e-9, 0.1);
    atm_topology *topology = topology_from("nodes:2 ranks:4");
    atm_situation situation = usual(profile, topology), other = situation;
    atm_answers *answers = atm_answers_create();
    atm_decision one, two;
    int ranks[8];

    (void) state;
    assert_int_equal(atm_decide(&situation, answers, ranks, &one), ATM_OK);
    assert_non_null(one.choice);
    assert_int_equal(atm_decide(&situation, answers, ranks, &two), ATM_OK);
    assert_null(two.choice); /* known */
    assert_same(&one, &two);
    atm_decision_clear(&two);
    /* every one of these makes another situation of it */
    for (int i = 0; i < 8; i++) {
        int *node_of = topology->node_of, kept = node_of[3];

        other = situation;
        if (i == 0)
            other.request.access.bytes_max++;
        else if (i == 1)
            other.request.memory = MIB;
        else if (i == 2)
            other.scale.factor[ATM_STORAGE_KIND] = 1.5;
        else if (i == 3)
            other.request.fixed = 1u << ATM_FIX_BUFFER;
        else if (i == 4)
            other.request.mode = (atm_mode) !situation.request.mode;
        else if (i == 5)
            other.request.life.calls = 7;
        else if (i == 6)
            other.request.defaults.buffer /= 2;
        else
            node_of[3] = 1; /* ranks that are elsewhere */
        assert_int_equal(atm_decide(&other, answers, ranks, &two), ATM_OK);
        assert_non_null(two.choice);
        node_of[3] = kept;
        atm_decision_clear(&two);
    }
    atm_decision_clear(&one);
    atm_answers_destroy(answers);
    atm_topology_destroy(topology);
    atm_profile_destroy(profile);
}

static void memory_is_that_of_a_node(void **state)
{
    atm_topology *topology = topology_from("nodes:2 ranks:4");
    const int apart[] = {0, 4}, together[] = {0, 1};

    (void) state;
    assert_true(atm_buffer_within(topology, apart, 2, 8 * MIB, 16 * MIB) == 8 * MIB);
    assert_true(atm_buffer_within(topology, together, 2, 8 * MIB, 16 * MIB) == 4 * MIB);
    assert_true(atm_buffer_within(topology, together, 2, 0, 16 * MIB) == 16 * MIB);
    assert_true(atm_buffer_within(topology, together, 2, 1, 16 * MIB) == 1);
    atm_topology_destroy(topology);
}

static void listed_ranks_stay(void **state)
{
    atm_profile *profile = simple_profile(1e-4, 1e-9, 0.1);
    atm_topology *topology = topology_from("nodes:2 ranks:4");
    atm_situation situation = usual(profile, topology);
    const int listed[] = {7, 2};
    atm_decision decision;
    int ranks[8];

    (void) state;
    situation.ranks = listed;
    situation.request.mode = ATM_ENABLE;
    situation.request.fixed = 1u << ATM_FIX_AGGREGATORS;
    situation.request.fixed_order = true;
    assert_int_equal(atm_decide(&situation, NULL, ranks, &decision), ATM_OK);
    assert_memory_equal(ranks, listed, sizeof(listed));
    atm_decision_clear(&decision);
    atm_topology_destroy(topology);
    atm_profile_destroy(profile);
}

/* --- files that are no situation */

/* Asserts that a situation is refused whose text has `from` replaced by `to`. */
static void assert_refused(const char *text, const char *from, const char *to, const char *why)
{
    const char *at = strstr(text, from);
    char changed[16384];
    atm_message message = {""};
    atm_replayed replayed;
    atm_value *root;

    if (at == NULL)
        fail_msg("%s is not in %s", from, text);
    snprintf(changed, sizeof(changed), "%.*s%s%s", (int) (at - text), text, to, at + strlen(from));
    assert_int_equal(atm_value_parse(changed, strlen(changed), "f", &message, &root), ATM_OK);
    assert_int_equal(atm_get_situation(root, "situation", &message, &replayed), ATM_BAD_FILE);
    if (strstr(message.text, why) == NULL)
        fail_msg("%s -> %s: %s", from, to, message.text);
    atm_value_destroy(root);
}

static void what_is_wrong_is_said(void **state)
{
    atm_profile *profile = simple_profile(1e-4, 1e-9, 0.1);
    atm_topology *topology = topology_from("nodes:2 ranks:4");
    atm_situation situation = usual(profile, topology);
    atm_value *root = atm_value_object();
    char *text;
    size_t length;

    (void) state;
    atm_put_situation(root, "situation", &situation, "0123456789abcdef");
    assert_int_equal(atm_value_print_line(root, &text, &length), ATM_OK);
    assert_refused(text, "\"version\":1", "\"version\":2", "situation.version");
    assert_refused(text, "\"ufs\"", "\"zfs\"", "request.driver: must not be \"zfs\"");
    assert_refused(text, "[[0,1,2,4]]", "[[0,1,2,1000000000]]", "node_of");
    assert_refused(text, "[[0,1,2,4]]", "[[0,1,3,4]]", "numbers from 0 to 1");
    assert_refused(text, "[[0,1,2,4]]", "[[1,-1,3,4]]", "numbers from 0 to 1");
    assert_refused(text, "[[0,1,2,4]]", "[[0,1,2]]", "node_of[0]");
    assert_refused(text, "[[0,1,2,4]]", "[]", "nodes: must be those of a job");
    assert_refused(text, "[[2,0,", "[[2,7,", "nodes: must be those of a job");
    assert_refused(text, "[[2,0,", "[[0,0,", "nodes[0]");
    assert_refused(text, "[[0,4,2,1]]", "[[0,4,1,1]]", "ranks: must be as many");
    assert_refused(text, "0123456789abcdef", "0123", "profile");
    assert_refused(text, "\"storage\":1", "\"storage\":0", "scale");
    assert_refused(text, "\"fixed\":[]", "\"fixed\":[\"none\"]", "request.fixed[0]");
    free(text);
    atm_value_destroy(root);
    atm_topology_destroy(topology);
    atm_profile_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(replayed_decisions_are_the_same),
                                       cmocka_unit_test(answers_are_of_their_situation),
                                       cmocka_unit_test(memory_is_that_of_a_node),
                                       cmocka_unit_test(listed_ranks_stay),
                                       cmocka_unit_test(what_is_wrong_is_said)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
