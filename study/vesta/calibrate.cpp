/* vesta calibrate: the elemental operations, as the paper measured them. */

#include "commands.hpp"
#include "points.hpp"
#include "pool.hpp"
#include "simulate.hpp"
#include "study.hpp"

extern "C" {
#include "common/stats.h"
}

namespace vesta
{

struct CalibrateOptions {
    const char *out = "vesta";
    int jobs = 1, seed = 1;
    bool tiny = false;
};

static const option_entry entries[] = {{"out", "DIR", "where points.json goes (default vesta)",
                                        OPTION_TEXT, offsetof(CalibrateOptions, out), nullptr},
                                       {"tiny", nullptr,
                                        "fewer points, of 32 and 64 nodes: to try it", OPTION_FLAG,
                                        offsetof(CalibrateOptions, tiny), nullptr},
                                       {"jobs", "N", "processes at once (default 1)", OPTION_COUNT,
                                        offsetof(CalibrateOptions, jobs), nullptr},
                                       {"seed", "N", "of everything random (default 1)",
                                        OPTION_COUNT, offsetof(CalibrateOptions, seed), nullptr},
                                       {nullptr, nullptr, nullptr, OPTION_FLAG, 0, nullptr}};

static const option_table table = {
    "vesta calibrate [options]",
    "Simulate the collectives and the concurrent writes of the paper's calibration, and\n"
    "write what they took to DIR/points.json, which autotune train reads.\n",
    entries, nullptr};

static Value document_of(const StoragePoints &all)
{
    Value root(atm_value_object());
    atm_value *list = atm_put_array(root.get(), "points");

    for (const Point &point : all.points) {
        atm_value *entry = atm_put_object(list, nullptr);

        atm_put_integer(entry, "operation", point.operation);
        atm_put_number(entry, "senders", point.senders);
        atm_put_number(entry, "receivers", point.receivers);
        atm_put_number(entry, "messages", point.messages);
        atm_put_number(entry, "bytes", point.bytes);
        atm_put_number(entry, "stripes", point.stripes);
        atm_put_number(entry, "far", point.far);
        atm_put_numbers(entry, "seconds", point.seconds.data(), point.seconds.size());
    }
    list = atm_put_array(root.get(), "caches");
    for (const Capacity &capacity : all.capacities) {
        atm_value *entry = atm_put_object(list, nullptr);

        atm_put_number(entry, "writers", capacity.writers);
        atm_put_number(entry, "round", capacity.round);
        atm_put_number(entry, "disks", capacity.disks);
        atm_put_number(entry, "bytes", capacity.bytes);
    }
    return root;
}

/* --- from parts to points.json */

static void put_features(atm_value *entry, const atm_value *point, int nodes, int per_node)
{
    atm_operation operation = static_cast<atm_operation>(number_in(point, "operation"));
    atm_value *features = atm_put_object(entry, "features");
    double receivers = number_in(point, "receivers");
    bool storage = atm_operation_kind(operation) == ATM_STORAGE_KIND;

    atm_put_integer(features, "nodes", nodes);
    atm_put_number(features, "per_node", storage ? receivers / nodes : per_node);
    atm_put_number(features, "senders", number_in(point, "senders"));
    atm_put_number(features, "receivers", receivers);
    atm_put_number(features, "bytes", number_in(point, "bytes"));
    atm_put_number(features, "stripes", number_in(point, "stripes"));
    atm_put_number(features, "messages", number_in(point, "messages"));
    atm_put_number(features, "far", number_in(point, "far"));
}

static void put_point(atm_value *list, const atm_value *point, int job, int nodes, int per_node)
{
    const std::vector<double> seconds = numbers_in(point, "seconds");
    atm_operation operation = static_cast<atm_operation>(number_in(point, "operation"));
    atm_value *entry = atm_put_object(list, nullptr);
    int count = static_cast<int>(seconds.size());
    double middle = stats_median(seconds.data(), count), sum = 0;

    for (double second : seconds)
        sum += second;
    atm_put_string(entry, "operation", atm_operation_name(operation));
    atm_put_integer(entry, "job", job);
    put_features(entry, point, nodes, per_node);
    atm_put_number(entry, "seconds", sum / static_cast<double>(seconds.size()));
    atm_put_number(entry, "median", middle);
    atm_put_number(entry, "spread", stats_deviation(seconds.data(), count) / middle);
    atm_put_numbers(atm_put_array(entry, "visits"), nullptr, seconds.data(), seconds.size());
}

static void put_capacity(atm_value *list, const atm_value *capacity, int job, int nodes)
{
    atm_value *entry = atm_put_object(list, nullptr);

    atm_put_integer(entry, "job", job);
    atm_put_integer(entry, "nodes", nodes);
    atm_put_number(entry, "writers", number_in(capacity, "writers"));
    atm_put_number(entry, "round", number_in(capacity, "round"));
    atm_put_number(entry, "servers", number_in(capacity, "disks"));
    atm_put_number(entry, "bytes", number_in(capacity, "bytes"));
}

static void put_machine(atm_value *root, const Parameters &parameters, int seed)
{
    atm_value *machine;

    atm_put_string(root, "format", "romio-autotune-points");
    atm_put_integer(root, "version", 1);
    machine = atm_put_object(root, "machine");
    atm_put_string(machine, "name", "Vesta, simulated");
    atm_put_string(machine, "date", date_now().c_str());
    atm_put_string(machine, "mpi", "MPICH's algorithms");
    atm_put_string(machine, "network", "5-D torus, 2 GB/s");
    atm_put_string(machine, "file_system", "GPFS, simulated");
    atm_put_string(machine, "tool",
                   ("vesta calibrate " + std::string(MODEL_VERSION) + ", " + simgrid_version() +
                    ", seed " + std::to_string(seed))
                       .c_str());
    atm_put_integer(machine, "cores", parameters.per_node);
    atm_put_number(machine, "memory", 16384.0 * MiB);
    atm_put_number(machine, "block", static_cast<double>(parameters.block));
    atm_put_integer(machine, "servers", parameters.disks);
}

static Value points_document(const std::vector<Value> &results, const std::vector<int> &nodes,
                             size_t parts, int seed)
{
    const Parameters parameters;
    Value root(atm_value_object());
    atm_value *jobs, *list;

    put_machine(root.get(), parameters, seed);
    jobs = atm_put_array(root.get(), "jobs");
    for (int count : nodes) {
        atm_value *job = atm_put_object(jobs, nullptr);

        atm_put_integer(job, "ranks", count * parameters.per_node);
        atm_put_integer(job, "nodes", count);
    }
    list = atm_put_array(root.get(), "points");
    for (size_t i = 0; i < results.size(); i++) {
        const atm_value *points = member(results[i].get(), "points");

        for (size_t k = 0; k < atm_value_length(points); k++)
            put_point(list, atm_value_item(points, k), static_cast<int>(i / parts),
                      nodes[i / parts], parameters.per_node);
    }
    list = atm_put_array(root.get(), "caches");
    for (size_t i = 0; i < results.size(); i++) {
        const atm_value *caches = member(results[i].get(), "caches");

        for (size_t k = 0; k < atm_value_length(caches); k++)
            put_capacity(list, atm_value_item(caches, k), static_cast<int>(i / parts),
                         nodes[i / parts]);
    }
    return root;
}

static std::vector<Task> tasks_of(int nodes, const CalibrateOptions &options)
{
    const Parameters parameters;
    const std::string end = (options.tiny ? "-tiny" : "") + std::string("-seed") +
                            std::to_string(options.seed) + "-version" + MODEL_VERSION;
    const std::string name = "calibration-" + std::to_string(nodes);
    const bool tiny = options.tiny;
    std::vector<Task> tasks;

    tasks.push_back({name + "-communication" + end, nodes * nodes / 20.0, [=] {
                         Value value;
                         simulate(nodes, parameters, [&](const Network &network, Storage *) {
                             value = document_of({communication_points(network, tiny), {}});
                         });
                         return value;
                     }});
    for (uint64_t buffer : STUDY_BUFFERS)
        tasks.push_back(
            {name + "-" + std::to_string(buffer / MiB) + end, static_cast<double>(nodes * 20), [=] {
                 Value value;
                 simulate(nodes, parameters, [&](const Network &network, Storage *storage) {
                     value = document_of(storage_points(
                         network, storage, buffer,
                         rng_hash(rng_hash(static_cast<uint64_t>(options.seed), buffer),
                                  static_cast<uint64_t>(nodes)),
                         tiny));
                 });
                 return value;
             }});
    return tasks;
}

int command_calibrate(int argc, char **argv)
{
    CalibrateOptions options;
    option_result result = options_parse(&table, argc, argv, &options);
    std::vector<Task> tasks;

    if (result != OPTIONS_GO_ON)
        return result == OPTIONS_HELP ? 0 : 2;
    const std::vector<int> nodes = options.tiny ? std::vector<int>{32, 64} : STUDY_NODES;
    for (int count : nodes)
        for (Task &task : tasks_of(count, options))
            tasks.push_back(std::move(task));
    const std::vector<Value> results = run_tasks("calibrate", tasks, options.out, options.jobs);
    const Value document =
        points_document(results, nodes, tasks.size() / nodes.size(), options.seed);
    write_value(document.get(), std::string(options.out) + "/points.json");
    return 0;
}

} // namespace vesta
