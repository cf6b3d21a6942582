/* vesta sensitivity: the effect of other assumptions about the storage. */

#include <algorithm>
#include <cstdio>

#include "commands.hpp"
#include "pool.hpp"
#include "simulate.hpp"
#include "study.hpp"

namespace vesta
{

struct SensitivityOptions {
    const char *out = "vesta";
    int jobs = 1, seed = 1, nodes = 0;
};

static const option_entry entries[] = {{"out", "DIR", "where sensitivity.json goes (default vesta)",
                                        OPTION_TEXT, offsetof(SensitivityOptions, out), nullptr},
                                       {"nodes", "N", "only 128 or only 512", OPTION_COUNT,
                                        offsetof(SensitivityOptions, nodes), nullptr},
                                       {"jobs", "N", "processes at once (default 1)", OPTION_COUNT,
                                        offsetof(SensitivityOptions, jobs), nullptr},
                                       {"seed", "N", "of everything random (default 1)",
                                        OPTION_COUNT, offsetof(SensitivityOptions, seed), nullptr},
                                       {nullptr, nullptr, nullptr, OPTION_FLAG, 0, nullptr}};

static const option_table table = {
    "vesta sensitivity [options]",
    "Simulate some instances under other rules of block placement, write-behind, cache\n"
    "and aggregator placement; write all times to DIR/sensitivity.json and print how the\n"
    "best configuration and the gain over the default change.\n",
    entries, nullptr};

struct Assumption {
    const char *name;
    void (*change)(Parameters *parameters, Configuration *configuration);
};

static const Assumption assumptions[] = {
    {"as assumed", [](Parameters *, Configuration *) {}},
    {"blocks in order of allocation",
     [](Parameters *p, Configuration *) { p->spread = Spread::ALLOCATION; }},
    {"blocks at random", [](Parameters *p, Configuration *) { p->spread = Spread::RANDOM; }},
    {"16 blocks written at once", [](Parameters *p, Configuration *) { p->flushers = 16; }},
    {"256 blocks written at once", [](Parameters *p, Configuration *) { p->flushers = 256; }},
    {"cache flushed from half full on",
     [](Parameters *p, Configuration *) { p->policy = Cache::LAZY; }},
    {"no write-back cache", [](Parameters *p, Configuration *) { p->policy = Cache::THROUGH; }},
    {"no seeks", [](Parameters *p, Configuration *) { p->seek_time = 0; }},
    {"nobody else", [](Parameters *p, Configuration *) { p->background = false; }},
    {"placement of Blue Gene's ROMIO",
     [](Parameters *, Configuration *c) { c->placement = "bluegene"; }}};

static const std::vector<Instance> instances = {
    {128, 4 * MiB}, {128, 16 * MiB}, {128, 64 * MiB}, {512, 4 * MiB}, {512, 16 * MiB}};

static Value run_all(const Instance &instance, const Assumption &assumption, uint64_t seed)
{
    Parameters parameters;
    Configuration unused = {};
    std::vector<double> seconds;
    Value root(atm_value_object());

    assumption.change(&parameters, &unused);
    simulate(instance.nodes, parameters, [&](const Network &network, Storage *storage) {
        TwoPhase two_phase(network, storage);

        for (Configuration configuration : study_configurations(network.machine)) {
            uint64_t run = run_seed(seed, instance, configuration, 0);

            assumption.change(&parameters, &configuration);
            seconds.push_back(two_phase.run({instance.bytes}, configuration, run).seconds);
        }
    });
    atm_put_numbers(root.get(), "seconds", seconds.data(), seconds.size());
    return root;
}

static void print_line(const char *name, const Instance &instance,
                       const std::vector<double> &seconds)
{
    const Machine machine(instance.nodes, Parameters().per_node);
    const std::vector<Configuration> configurations = study_configurations(machine);
    size_t best =
        static_cast<size_t>(std::min_element(seconds.begin(), seconds.end()) - seconds.begin());
    double worst = *std::max_element(seconds.begin(), seconds.end());

    printf("%-32s %5d %5llu %10.3f %10.3f %6d x %2llu %9.2f %9.2f\n", name, instance.nodes,
           static_cast<unsigned long long>(instance.bytes / MiB), seconds[STUDY_DEFAULT],
           seconds[best], configurations[best].aggregators,
           static_cast<unsigned long long>(configurations[best].buffer / MiB),
           seconds[STUDY_DEFAULT] / seconds[best], worst / seconds[best]);
}

static void put_line(atm_value *list, const char *name, const Instance &instance,
                     const std::vector<double> &seconds)
{
    atm_value *entry = atm_put_object(list, nullptr);

    atm_put_string(entry, "assumption", name);
    atm_put_integer(entry, "nodes", instance.nodes);
    atm_put_number(entry, "bytes", static_cast<double>(instance.bytes));
    atm_put_numbers(entry, "seconds", seconds.data(), seconds.size());
}

static void put_head(atm_value *root, int seed)
{
    const Machine machine(STUDY_NODES[0], Parameters().per_node);
    atm_value *list;

    atm_put_string(root, "format", "romio-autotune-vesta-sensitivity");
    atm_put_integer(root, "version", 1);
    atm_put_string(root, "simulator",
                   (std::string(MODEL_VERSION) + ", " + simgrid_version()).c_str());
    atm_put_string(root, "date", date_now().c_str());
    atm_put_integer(root, "seed", seed);
    atm_put_integer(root, "default", STUDY_DEFAULT);
    list = atm_put_array(root, "configurations"); /* in the order of all "seconds" */
    for (int per_pset : STUDY_PER_PSET)
        for (uint64_t buffer : STUDY_BUFFERS) {
            atm_value *entry = atm_put_object(list, nullptr);

            atm_put_integer(entry, "per_pset", per_pset);
            atm_put_number(entry, "buffer", static_cast<double>(buffer));
        }
}

struct Case {
    const Instance *instance;
    const Assumption *assumption;
};

static std::vector<Case> cases_of(int nodes)
{
    std::vector<Case> cases;

    for (const Instance &instance : instances)
        for (const Assumption &assumption : assumptions)
            if (nodes == 0 || nodes == instance.nodes)
                cases.push_back({&instance, &assumption});
    return cases;
}

static Task task_of(const Case &what, int seed)
{
    const Instance &instance = *what.instance;

    return {"sensitivity-" + std::to_string(instance.nodes) + "-" +
                std::to_string(instance.bytes / MiB) + "-" +
                std::to_string(what.assumption - assumptions) + "-seed" + std::to_string(seed) +
                "-version" + MODEL_VERSION,
            instance.nodes * static_cast<double>(instance.bytes),
            [=] { return run_all(*what.instance, *what.assumption, static_cast<uint64_t>(seed)); }};
}

static void tell(const std::vector<Case> &cases, const std::vector<Value> &results,
                 const SensitivityOptions &options)
{
    Value root(atm_value_object());
    put_head(root.get(), options.seed);
    atm_value *list = atm_put_array(root.get(), "runs");

    printf("%-32s %5s %5s %10s %10s %11s %9s %9s\n", "assumption", "nodes", "MiB", "default s",
           "best s", "best", "gain", "range");
    for (size_t i = 0; i < cases.size(); i++) {
        const std::vector<double> seconds = numbers_in(results[i].get(), "seconds");

        print_line(cases[i].assumption->name, *cases[i].instance, seconds);
        put_line(list, cases[i].assumption->name, *cases[i].instance, seconds);
    }
    write_value(root.get(), std::string(options.out) + "/sensitivity.json");
}

int command_sensitivity(int argc, char **argv)
{
    SensitivityOptions options;
    option_result result = options_parse(&table, argc, argv, &options);
    std::vector<Task> tasks;

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    const std::vector<Case> cases = cases_of(options.nodes);
    if (cases.empty())
        return options_complain(&table, "--nodes %d: must be 128 or 512", options.nodes);
    for (const Case &what : cases)
        tasks.push_back(task_of(what, options.seed));
    tell(cases, run_tasks("sensitivity", tasks, options.out, options.jobs), options);
    return 0;
}

} // namespace vesta
