/* vesta sweep: Table I of the paper, every configuration of every instance. */

#include "commands.hpp"
#include "pool.hpp"
#include "simulate.hpp"
#include "study.hpp"

namespace vesta
{

struct SweepOptions {
    const char *out = "vesta";
    int jobs = 1, repetitions = 3, seed = 1, nodes = 0;
    uint64_t largest = 0, once_above = 64 * MiB;
    bool plain = false;
};

static const option_entry entries[] = {
    {"out", "DIR", "where sweep.json goes (default vesta)", OPTION_TEXT,
     offsetof(SweepOptions, out), nullptr},
    {"repetitions", "N", "of every run, with other load on the disks (default 3)", OPTION_COUNT,
     offsetof(SweepOptions, repetitions), nullptr},
    {"nodes", "N", "only instances with as many nodes: 128, 256 or 512", OPTION_COUNT,
     offsetof(SweepOptions, nodes), nullptr},
    {"largest", "SIZE", "only instances up to these bytes of a process", OPTION_SIZE,
     offsetof(SweepOptions, largest), nullptr},
    {"once-above", "SIZE", "bytes of a process from which an instance runs once (default 64M)",
     OPTION_SIZE, offsetof(SweepOptions, once_above), nullptr},
    {"plain", nullptr, "without the variants uniform, bluegene and existing", OPTION_FLAG,
     offsetof(SweepOptions, plain), nullptr},
    {"jobs", "N", "processes at once (default 1)", OPTION_COUNT, offsetof(SweepOptions, jobs),
     nullptr},
    {"seed", "N", "of everything random (default 1)", OPTION_COUNT, offsetof(SweepOptions, seed),
     nullptr},
    {nullptr, nullptr, nullptr, OPTION_FLAG, 0, nullptr}};

static const option_table table = {
    "vesta sweep [options]",
    "Simulate the paper's instances with each of its nine configurations, and write\n"
    "what they took to DIR/sweep.json.  Finished instances are kept in DIR/parts: a run\n"
    "that was ended continues where it stopped.  Instances of more than 64 MiB a process run\n"
    "once and without variants, unless --once-above says otherwise.\n",
    entries, nullptr};

/* Every configuration once, as it is or as one of the variants: those of the paper's
 * figures 5 and 6, and the order of Blue Gene's own ROMIO. */
struct Pass {
    const char *variant; /* or NULL */
    int repetition;
};

/* Runs of minutes meet many bursts: one of them says as much as three short ones. */
static std::vector<Pass> passes_of(const Instance &instance, const SweepOptions &options)
{
    std::vector<Pass> passes = {{nullptr, 0}};

    if (instance.bytes > options.once_above)
        return passes;
    for (int r = 1; r < options.repetitions; r++)
        passes.push_back({nullptr, r});
    if (!options.plain) {
        passes.push_back({"uniform", 0});
        passes.push_back({"bluegene", 0});
        passes.push_back({"near", 0});
        passes.push_back({"existing", 0});
    }
    return passes;
}

static Configuration variant_of(Configuration configuration, const char *variant)
{
    const std::string name = variant != nullptr ? variant : "";

    if (name == "uniform" || name == "bluegene" || name == "near")
        configuration.placement = name;
    configuration.locking = name != "existing";
    return configuration;
}

static void put_run(atm_value *list, const Outcome &outcome)
{
    atm_value *run = atm_put_object(list, nullptr);

    atm_put_number(run, "seconds", outcome.seconds);
    atm_put_number(run, "partitioning", outcome.partitioning);
    atm_put_number(run, "shuffle", outcome.shuffle);
    atm_put_number(run, "storage", outcome.storage);
}

static Value run_pass(const Instance &instance, const Pass &pass, uint64_t seed)
{
    const Parameters parameters;
    Value root(atm_value_object());
    atm_value *list = atm_put_array(root.get(), "runs");

    simulate(instance.nodes, parameters, [&](const Network &network, Storage *storage) {
        TwoPhase two_phase(network, storage);

        for (const Configuration &configuration : study_configurations(network.machine)) {
            const Configuration tried = variant_of(configuration, pass.variant);

            put_run(list, two_phase.run({instance.bytes}, tried,
                                        run_seed(seed, instance, tried, pass.repetition)));
        }
    });
    return root;
}

static Task task_of(const Instance &instance, const Pass &pass, int seed)
{
    const std::string kind =
        pass.variant != nullptr ? pass.variant : "repetition" + std::to_string(pass.repetition);

    return {"sweep-" + std::to_string(instance.nodes) + "-" + std::to_string(instance.bytes / MiB) +
                "-" + kind + "-seed" + std::to_string(seed) + "-version" + MODEL_VERSION,
            static_cast<double>(instance.nodes) * static_cast<double>(instance.bytes + MiB),
            [=] { return run_pass(instance, pass, static_cast<uint64_t>(seed)); }};
}

/* --- from parts to the sweep */

static void put_configuration(atm_value *list, const Configuration &configuration,
                              const char *variant, bool is_default,
                              const std::vector<const atm_value *> &runs)
{
    static const char *const parts[] = {"partitioning", "shuffle", "storage"};
    atm_value *entry = atm_put_object(list, nullptr), *seconds, *means;

    atm_put_integer(entry, "aggregators", configuration.aggregators);
    atm_put_number(entry, "buffer", static_cast<double>(configuration.buffer));
    if (is_default)
        atm_put_truth(entry, "default", true);
    if (variant != nullptr)
        atm_put_string(entry, "variant", variant);
    seconds = atm_put_array(entry, "seconds");
    for (const atm_value *run : runs)
        atm_put_number(seconds, nullptr, number_in(run, "seconds"));
    means = atm_put_object(entry, "parts");
    for (const char *part : parts) {
        double sum = 0;

        for (const atm_value *run : runs)
            sum += number_in(run, part);
        atm_put_number(means, part, sum / static_cast<double>(runs.size()));
    }
}

/* results[first], ...: those of the instance, one for each pass */
static void put_configurations(atm_value *list, const Machine &machine,
                               const std::vector<Pass> &passes, const std::vector<Value> &results,
                               size_t first)
{
    const std::vector<Configuration> configurations = study_configurations(machine);

    for (size_t i = 0; i < configurations.size(); i++) {
        std::vector<const atm_value *> repetitions;

        for (size_t p = 0; p < passes.size(); p++) {
            const atm_value *run = atm_value_item(member(results[first + p].get(), "runs"), i);

            if (passes[p].variant == nullptr)
                repetitions.push_back(run);
        }
        put_configuration(list, configurations[i], nullptr, i == STUDY_DEFAULT, repetitions);
        for (size_t p = 0; p < passes.size(); p++)
            if (passes[p].variant != nullptr)
                put_configuration(list, configurations[i], passes[p].variant, false,
                                  {atm_value_item(member(results[first + p].get(), "runs"), i)});
    }
}

static atm_value *put_instance(atm_value *list, const Instance &instance, const Machine &machine)
{
    atm_value *entry = atm_put_object(list, nullptr), *access;

    atm_put_string(entry, "name",
                   (std::to_string(instance.nodes) + " nodes, " +
                    std::to_string(instance.bytes / MiB) + " MiB a process")
                       .c_str());
    atm_put_string(entry, "driver", "gpfs");
    atm_put_integer(entry, "nodes", machine.nodes());
    atm_put_integer(entry, "per_node", machine.per_node);
    atm_put_integer(entry, "psets", machine.psets());
    atm_put_integer(entry, "bridges", machine.bridges());
    atm_put_number(entry, "block", static_cast<double>(Parameters().block));
    atm_put_numbers(entry, "apart", machine.job().apart, ATM_APART);
    access = atm_put_object(entry, "access");
    atm_put_truth(access, "write", true);
    atm_put_number(access, "bytes", static_cast<double>(instance.bytes));
    atm_put_integer(access, "strided", 0);
    atm_put_integer(access, "calls", 1);
    return atm_put_array(entry, "configurations");
}

static bool is_wanted(const Instance &instance, const SweepOptions &options)
{
    return (options.nodes == 0 || instance.nodes == options.nodes) &&
           (options.largest == 0 || instance.bytes <= options.largest);
}

static void sweep(const SweepOptions &options)
{
    std::vector<Instance> instances;
    std::vector<Task> tasks;

    for (const Instance &instance : study_instances()) {
        if (!is_wanted(instance, options))
            continue;
        instances.push_back(instance);
        for (const Pass &pass : passes_of(instance, options))
            tasks.push_back(task_of(instance, pass, options.seed));
    }
    const std::vector<Value> results = run_tasks("sweep", tasks, options.out, options.jobs);
    Value root(atm_value_object());
    put_ground(root.get(), Parameters(), options.seed);
    atm_value *list = atm_put_array(root.get(), "instances");
    size_t first = 0;
    for (const Instance &instance : instances) {
        const Machine machine(instance.nodes, Parameters().per_node);
        const std::vector<Pass> passes = passes_of(instance, options);

        put_configurations(put_instance(list, instance, machine), machine, passes, results, first);
        first += passes.size();
    }
    write_value(root.get(), std::string(options.out) + "/sweep.json");
}

int command_sweep(int argc, char **argv)
{
    SweepOptions options;
    option_result result = options_parse(&table, argc, argv, &options);

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    bool any = false;
    for (const Instance &instance : study_instances())
        any = any || is_wanted(instance, options);
    if (!any)
        return options_complain(&table, "the study has no such instance");
    sweep(options);
    return 0;
}

} // namespace vesta
