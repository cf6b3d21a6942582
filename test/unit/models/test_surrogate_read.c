/* Surrogates that must be refused, with what the message has to name. */

#include "surrogate_help.h"

#define RANGE                                                                                      \
    "\"features\": [\"nodes\", \"bytes\"], \"min\": [1, 1], \"max\": [9, 99], \"error\": 0.1"
#define CONST "\"model\": \"const\", \"parameters\": {\"output\": 1}"
#define MODEL(name, parameters)                                                                    \
    "{\"model\": \"" name "\", " RANGE ", \"parameters\": {" parameters "}}"

typedef struct refusal {
    const char *text, *named;
} refusal;

static void check_refusals(const refusal *refusals, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        atm_surrogate *surrogate = (atm_surrogate *) 1;
        atm_value *root = parse(refusals[i].text);
        atm_message message = {""};
        atm_status status = atm_surrogate_read(root, &message, &surrogate);

        if (status != ATM_BAD_FILE || strstr(message.text, refusals[i].named) == NULL)
            fail_msg("%s\n    status %d, message \"%s\", not \"%s\"", refusals[i].text, status,
                     message.text, refusals[i].named);
        assert_ptr_equal(surrogate, (atm_surrogate *) 1);
        assert_int_equal(atm_surrogate_read(root, NULL, &surrogate), ATM_BAD_FILE);
        atm_value_destroy(root);
    }
}

#define CHECK_REFUSALS(...)                                                                        \
    do {                                                                                           \
        static const refusal refusals[] = {__VA_ARGS__};                                           \
        check_refusals(refusals, sizeof(refusals) / sizeof(refusals[0]));                          \
    } while (0)

static void accepts(const char *text)
{
    atm_surrogate_destroy(make(text));
}

static void surrogates(void **state)
{
    (void) state;
    accepts("{" CONST ", " RANGE "}");
    CHECK_REFUSALS(
        {"[]", "text"}, {"{}", "model"}, {"{\"model\": 1}", "model"},
        {"{\"model\": \"oracle\", " RANGE "}", "model"}, {"{" CONST "}", "features"},
        {"{" CONST ", " RANGE ", \"extra\": 1}", "extra"},
        {"{" CONST ", \"features\": [], \"min\": [], \"max\": [], \"error\": 0}", "features"},
        {"{" CONST ", \"features\": [\"weather\"]}", "features"},
        {"{" CONST ", \"features\": [\"bytes\", \"bytes\"]}", "bytes twice"},
        {"{" CONST ", \"features\": [\"bytes\"]}", "min"},
        {"{" CONST ", \"features\": [\"bytes\"], \"min\": [1, 2]}", "min"},
        {"{" CONST ", \"features\": [\"bytes\"], \"min\": [-1]}", "min"},
        {"{" CONST ", \"features\": [\"bytes\"], \"min\": [5], \"max\": [4], \"error\": 0}", "max"},
        {"{" CONST ", \"features\": [\"bytes\"], \"min\": [0], \"max\": [0], \"error\": 0}", "max"},
        {"{" CONST ", \"features\": [\"bytes\"], \"min\": [0], \"max\": [1e31]}", "max"},
        {"{" CONST ", \"features\": [\"bytes\"], \"min\": [0], \"max\": [1]}", "error"},
        {"{" CONST ", \"features\": [\"bytes\"], \"min\": [0], \"max\": [1], \"error\": -1}",
         "error"},
        {"{" CONST ", " RANGE ", \"beyond\": [\"linear\"]}", "beyond"},
        {"{" CONST ", " RANGE ", \"beyond\": [\"linear\", \"cubic\"]}", "beyond"},
        {"{" CONST ", " RANGE ", \"seconds_min\": 0}", "seconds_min"},
        {"{" CONST ", " RANGE ", \"seconds_min\": 2, \"seconds_max\": 1}", "seconds_max"},
        {"{\"model\": \"const\", " RANGE "}", "parameters"},
        {"{\"model\": \"const\", " RANGE ", \"parameters\": []}", "parameters"});
}

static void pipelines(void **state)
{
    (void) state;
    accepts("{" CONST ", " RANGE ", \"pipeline\": {}}");
    CHECK_REFUSALS(
        {"{" CONST ", " RANGE ", \"pipeline\": []}", "pipeline"},
        {"{" CONST ", " RANGE ", \"pipeline\": {\"extra\": 1}}", "extra"},
        {"{" CONST ", " RANGE ", \"pipeline\": {\"box_cox\": [0]}}", "box_cox"},
        {"{" CONST ", " RANGE ", \"pipeline\": {\"box_cox\": [0, 6]}}", "box_cox"},
        {"{" CONST ", \"features\": [\"bytes\"], \"min\": [0], \"max\": [1], \"error\": 0,"
         " \"pipeline\": {\"box_cox\": [0]}}",
         "box_cox"},
        {"{" CONST ", " RANGE ", \"pipeline\": {\"centre\": [0, \"x\"]}}", "centre"},
        {"{" CONST ", " RANGE ", \"pipeline\": {\"scale\": [1, 0]}}", "scale"},
        {"{" CONST ", " RANGE ", \"pipeline\": {\"scale\": 1}}", "scale"},
        {"{" CONST ", " RANGE ", \"pipeline\": {\"pca\": [[1]]}}", "pca"},
        {"{" CONST ", " RANGE ", \"pipeline\": {\"pca\": []}}", "pca"},
        {"{" CONST ", " RANGE ", \"pipeline\": {\"pca\": [[1, 1], [1, 1], [1, 1]]}}", "pca"},
        {"{" CONST ", " RANGE ", \"pipeline\": {\"target\": \"cubic\"}}", "target"});
    /* lambda 1 raises nothing to a power */
    accepts("{" CONST ", \"features\": [\"bytes\"], \"min\": [0], \"max\": [1], \"error\": 0,"
            " \"pipeline\": {\"box_cox\": [1]}}");
}

static void const_and_linear(void **state)
{
    (void) state;
    accepts(MODEL("linear", "\"intercept\": 1, \"coefficients\": [1, 2]"));
    CHECK_REFUSALS(
        {MODEL("const", ""), "output"}, {MODEL("const", "\"output\": 1, \"x\": 1"), "x"},
        {MODEL("const", "\"output\": 1e101"), "output"}, {MODEL("linear", ""), "intercept"},
        {MODEL("linear", "\"intercept\": 1"), "coefficients"},
        {MODEL("linear", "\"intercept\": 1, \"coefficients\": [1]"), "coefficients"},
        {MODEL("linear", "\"intercept\": 1, \"coefficients\": [1, 1, 1]"), "coefficients"},
        {MODEL("linear", "\"intercept\": 1, \"coefficients\": [1, 1], \"products\": 1"),
         "products"},
        {MODEL("linear", "\"intercept\": 1, \"coefficients\": [1, 1], \"products\": [[0, 1]]"),
         "products"},
        {MODEL("linear", "\"intercept\": 1, \"coefficients\": [1, 1], \"products\": [[0, 2, 1]]"),
         "products"},
        {MODEL("linear", "\"intercept\": 1, \"coefficients\": [1, 1], \"products\": [[-1, 0, 1]]"),
         "products"},
        {MODEL("linear", "\"intercept\": 1, \"coefficients\": [1, 1], \"products\": [[0.5, 0, 1]]"),
         "products"});
}

static void knn_and_svr(void **state)
{
    (void) state;
    accepts(MODEL("knn", "\"neighbours\": 1, \"points\": [[1, 2]], \"outputs\": [1]"));
    accepts(MODEL("svr", "\"gamma\": 1, \"bias\": 1, \"vectors\": [[1, 2]], \"alphas\": [1]"));
    CHECK_REFUSALS(
        {MODEL("knn", "\"points\": [[1, 2]], \"outputs\": [1]"), "neighbours"},
        {MODEL("knn", "\"neighbours\": 2, \"points\": [[1, 2]], \"outputs\": [1]"), "neighbours"},
        {MODEL("knn", "\"neighbours\": 0, \"points\": [[1, 2]], \"outputs\": [1]"), "neighbours"},
        {MODEL("knn", "\"neighbours\": 1, \"outputs\": [1]"), "points"},
        {MODEL("knn", "\"neighbours\": 1, \"points\": [[1, 2], [3, 4]], \"outputs\": [1]"),
         "points"},
        {MODEL("knn", "\"neighbours\": 1, \"points\": [[1]], \"outputs\": [1]"), "points"},
        {MODEL("knn", "\"neighbours\": 1, \"points\": [], \"outputs\": []"), "outputs"},
        {MODEL("knn", "\"neighbours\": 1, \"points\": [[1, 2]], \"outputs\": [1], \"k\": 1"), "k"},
        {MODEL("svr", "\"bias\": 1, \"vectors\": [[1, 2]], \"alphas\": [1]"), "gamma"},
        {MODEL("svr", "\"gamma\": 0, \"bias\": 1, \"vectors\": [[1, 2]], \"alphas\": [1]"),
         "gamma"},
        {MODEL("svr", "\"gamma\": 1, \"vectors\": [[1, 2]], \"alphas\": [1]"), "bias"},
        {MODEL("svr", "\"gamma\": 1, \"bias\": 1, \"alphas\": [1]"), "vectors"},
        {MODEL("svr", "\"gamma\": 1, \"bias\": 1, \"vectors\": [[1, 2, 3]], \"alphas\": [1]"),
         "vectors"},
        {MODEL("svr", "\"gamma\": 1, \"bias\": 1, \"vectors\": [[1, 2]], \"alphas\": [1, 2]"),
         "vectors"},
        {MODEL("svr", "\"gamma\": 1, \"bias\": 1, \"vectors\": [[1, 2]]"), "alphas"});
}

#define RULE "\"intercept\": 1, \"coefficients\": [1, 2]"
#define RULES(rule) MODEL("rules", "\"default\": 1, \"committee\": [[{" rule "}]]")
#define INSTANCES(instances)                                                                       \
    MODEL("rules", "\"default\": 1, \"committee\": [[]], \"instances\": {" instances "}")

static void rules(void **state)
{
    (void) state;
    accepts(RULES("\"conditions\": [], " RULE));
    accepts(INSTANCES("\"neighbours\": 3, \"points\": [[1, 2]], \"outputs\": [1]"));
    CHECK_REFUSALS(
        {MODEL("rules", "\"committee\": [[]]"), "default"},
        {MODEL("rules", "\"default\": 1"), "committee"},
        {MODEL("rules", "\"default\": 1, \"committee\": []"), "committee"},
        {MODEL("rules", "\"default\": 1, \"committee\": [1]"), "committee"},
        {MODEL("rules", "\"default\": 1, \"committee\": [[1]]"), "committee"},
        {RULES(RULE), "conditions"}, {RULES("\"conditions\": [], \"x\": 1, " RULE), "x"},
        {RULES("\"conditions\": [], \"intercept\": 1"), "coefficients"},
        {RULES("\"conditions\": [], \"coefficients\": [1, 2]"), "intercept"},
        {RULES("\"conditions\": [], \"low\": 2, \"high\": 1, " RULE), "high"},
        {RULES("\"conditions\": [[0, \"<=\"]], " RULE), "conditions"},
        {RULES("\"conditions\": [[2, \"<=\", 1]], " RULE), "conditions"},
        {RULES("\"conditions\": [[0, \"<\", 1]], " RULE), "conditions"},
        {RULES("\"conditions\": [[0, \">\", \"1\"]], " RULE), "conditions"},
        {MODEL("rules", "\"default\": 1, \"committee\": [[]], \"instances\": 1"), "instances"},
        {INSTANCES("\"points\": [[1, 2]], \"outputs\": [1]"), "neighbours"},
        {INSTANCES("\"neighbours\": 33, \"points\": [[1, 2]], \"outputs\": [1]"), "neighbours"},
        {INSTANCES("\"neighbours\": 1, \"points\": [[1, 2]], \"outputs\": [1, 2]"), "points"},
        {INSTANCES("\"neighbours\": 1, \"points\": [[1, 2]], \"outputs\": [1], \"limit\": -1"),
         "limit"},
        {INSTANCES("\"neighbours\": 1, \"points\": [[1, 2]], \"outputs\": [1], \"scale\": [1]"),
         "scale"},
        {INSTANCES("\"neighbours\": 1, \"points\": [[1, 2]], \"outputs\": [1], \"scale\": [1, 0]"),
         "scale"});
}

#define TREE(inputs, values)                                                                       \
    MODEL("forest", "\"trees\": [{\"inputs\": " inputs ", \"values\": " values "}]")

static void forest(void **state)
{
    (void) state;
    accepts(TREE("[-1]", "[1]"));
    accepts(TREE("[0, -1, 1, -1, -1]", "[1, 2, 3, 4, 5]"));
    CHECK_REFUSALS(
        {MODEL("forest", ""), "trees"}, {MODEL("forest", "\"trees\": []"), "trees"},
        {MODEL("forest", "\"trees\": [1]"), "trees"},
        {MODEL("forest", "\"trees\": [{\"inputs\": [-1]}]"), "values"},
        {MODEL("forest", "\"trees\": [{\"values\": [-1]}]"), "inputs"},
        {MODEL("forest", "\"trees\": [{\"inputs\": [-1], \"values\": [1], \"x\": 1}]"), "x"},
        {TREE("[]", "[]"), "values"}, {TREE("[-1]", "[1, 2]"), "inputs"},
        {TREE("[0.5, -1, -1]", "[1, 2, 3]"), "inputs"},
        {TREE("[2, -1, -1]", "[1, 2, 3]"), "inputs"},
        {TREE("[0]", "[1]"), "tree"},                              /* children missing */
        {TREE("[0, -1]", "[1, 2]"), "tree"},                       /* one child */
        {TREE("[-1, -1]", "[1, 2]"), "tree"},                      /* a node without parent */
        {TREE("[-1, 0, -1, -1]", "[1, 2, 3, 4]"), "tree"},         /* a second root */
        {TREE("[0, 0, -1, -1]", "[1, 2, 3, 4]"), "tree"},          /* not all children */
        {TREE("[0, -1, -1, -1, -1]", "[1, 2, 3, 4, 5]"), "tree"}); /* too many */
}

#define LAYERS(layers) MODEL("mlp", "\"activation\": \"tanh\", \"layers\": [" layers "]")

static void mlp(void **state)
{
    (void) state;
    accepts(LAYERS("{\"weights\": [[1], [2]], \"biases\": [0]}"));
    CHECK_REFUSALS({MODEL("mlp", "\"layers\": []"), "activation"},
                   {MODEL("mlp", "\"activation\": \"tan\", \"layers\": []"), "activation"},
                   {MODEL("mlp", "\"activation\": \"tanh\""), "layers"}, {LAYERS(""), "layers"},
                   {LAYERS("1"), "layers"}, {LAYERS("{\"weights\": [[1], [2]]}"), "biases"},
                   {LAYERS("{\"biases\": [1]}"), "weights"},
                   {LAYERS("{\"weights\": [[1], [2]], \"biases\": [0], \"x\": 1}"), "x"},
                   {LAYERS("{\"weights\": [[1]], \"biases\": [0]}"), "weights"},
                   {LAYERS("{\"weights\": [[1, 1], [2, 2]], \"biases\": [0, 0]}"), "biases"},
                   {LAYERS("{\"weights\": [[1, 1], [2, 2]], \"biases\": [0, 0]},"
                           "{\"weights\": [[1]], \"biases\": [0]}"),
                    "weights"});
}

/* A chain of inner nodes: each level has one, and a leaf. */
static void deep_trees_are_refused(void **state)
{
    static const struct {
        int depth;
        atm_status status;
    } cases[] = {{64, ATM_OK}, {65, ATM_BAD_FILE}};

    (void) state;
    for (int i = 0; i < 2; i++) {
        atm_value *root = parse(MODEL("forest", "\"trees\": []"));
        atm_value *copy = atm_value_object(), *tree, *inputs, *values;
        atm_surrogate *surrogate = NULL;

        for (size_t k = 0; k < atm_value_length(root); k++) {
            const atm_value *member = atm_value_item(root, k);

            if (strcmp(atm_value_key(member), "parameters") != 0)
                atm_put_copy(copy, atm_value_key(member), member);
        }
        tree = atm_put_object(atm_put_array(atm_put_object(copy, "parameters"), "trees"), NULL);
        inputs = atm_put_array(tree, "inputs");
        values = atm_put_array(tree, "values");
        for (int node = 0; node < 2 * cases[i].depth + 1; node++) {
            bool inner = node == 0 || (node % 2 == 1 && node < 2 * cases[i].depth - 1);

            atm_put_integer(inputs, NULL, inner ? 0 : -1);
            atm_put_number(values, NULL, node);
        }
        assert_int_equal(atm_surrogate_read(copy, NULL, &surrogate), cases[i].status);
        atm_surrogate_destroy(surrogate);
        atm_value_destroy(copy);
        atm_value_destroy(root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surrogates),
        cmocka_unit_test(pipelines),
        cmocka_unit_test(const_and_linear),
        cmocka_unit_test(knn_and_svr),
        cmocka_unit_test(rules),
        cmocka_unit_test(forest),
        cmocka_unit_test(mlp),
        cmocka_unit_test(deep_trees_are_refused),
    };

    return cmocka_run_group_tests_name("surrogate read", tests, NULL, NULL);
}
