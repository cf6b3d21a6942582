/* The torus and the links to the I/O nodes as SimGrid sees them. */

#include "network.hpp"

#include <algorithm>
#include <map>

#include <simgrid/version.h>

namespace sg = simgrid::s4u;

namespace vesta
{

/* Bandwidth is shared equally between the flows of a link: SimGrid's CM02 does
 * so where links have no latency, which is added by hand. */
void set_up_engine(const char *program)
{
    static std::vector<std::string> words = {program,
                                             "--log=root.thres:error",
                                             "--cfg=network/model:CM02",
                                             "--cfg=network/crosstraffic:0",
                                             "--cfg=surf/precision:1e-9",
                                             "--cfg=contexts/stack-size:64"};
    static std::vector<char *> argv;

    for (std::string &word : words)
        argv.push_back(word.data());
    int argc = static_cast<int>(argv.size());
    argv.push_back(nullptr);
    static sg::Engine engine(&argc, argv.data());
}

static std::vector<sg::Link *> make_links(sg::NetZone *zone, const std::string &name, int count,
                                          double rate)
{
    std::vector<sg::Link *> links;

    for (int i = 0; i < count; i++)
        links.push_back(zone->create_link(name + std::to_string(i), rate)->set_latency(0)->seal());
    return links;
}

static void add_route(sg::NetZone *zone, sg::Host *from, sg::Host *to,
                      const std::vector<sg::LinkInRoute> &links)
{
    zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, links, false);
}

/* One zone; from 4.0 on there is a root around it. */
static sg::NetZone *make_zone(void)
{
#if SIMGRID_VERSION >= 40000
    return sg::Engine::get_instance()->get_netzone_root()->add_netzone_full("vesta");
#else
    return sg::create_full_zone("vesta");
#endif
}

Network::Network(const Machine &the_machine, const Parameters &the_parameters)
    : machine(the_machine), parameters(the_parameters)
{
    sg::NetZone *zone = make_zone();

    for (int i = 0; i < machine.nodes(); i++)
        hosts_.push_back(zone->create_host("node" + std::to_string(i), 1e9)->seal());
    for (int i = 0; i < machine.psets(); i++)
        io_hosts_.push_back(zone->create_host("io" + std::to_string(i), 1e9)->seal());
    add_torus(zone);
    zone->seal();
}

void Network::add_torus(sg::NetZone *zone)
{
    const Torus &torus = machine.torus;
    const std::vector<sg::Link *> links =
        make_links(zone, "torus", torus.links(), parameters.link_rate);
    const std::vector<sg::Link *> memory =
        make_links(zone, "memory", torus.nodes(), parameters.memory_rate);

    for (int from = 0; from < torus.nodes(); from++) {
        for (int to = 0; to < torus.nodes(); to++) {
            std::vector<sg::LinkInRoute> way;

            for (int link : torus.route(from, to))
                way.emplace_back(links[link]);
            if (from == to)
                way.emplace_back(memory[from]);
            add_route(zone, hosts_[from], hosts_[to], way);
        }
    }
    add_io_nodes(zone, links);
}

void Network::add_io_nodes(sg::NetZone *zone, const std::vector<sg::Link *> &links)
{
    std::map<int, sg::Link *> to_io; /* by bridge */

    for (int node = 0; node < machine.nodes(); node++)
        if (machine.bridge_of(node) == node)
            to_io[node] =
                make_links(zone, "bridge" + std::to_string(node) + "-", 1, parameters.link_rate)[0];
    for (int node = 0; node < machine.nodes(); node++) {
        int bridge = machine.bridge_of(node);
        std::vector<sg::LinkInRoute> way;

        for (int link : machine.torus.route(node, bridge))
            way.emplace_back(links[link]);
        way.emplace_back(to_io[bridge]);
        add_route(zone, hosts_[node], io_hosts_[machine.pset_of(node)], way);
    }
}

void Network::move(const std::vector<Flow> &flows) const
{
    std::vector<sg::CommPtr> comms;

    for (const Flow &flow : flows)
        comms.push_back(sg::Comm::sendto_async(hosts_[flow.from], hosts_[flow.to], flow.bytes));
    sg::Comm::wait_all(comms);
}

void Network::forward(int node, uint64_t bytes) const
{
    sg::Comm::sendto(hosts_[node], io_hosts_[machine.pset_of(node)], bytes);
}

double Network::busiest(const std::vector<Flow> &flows) const
{
    std::vector<double> bytes(machine.torus.links()), inside(machine.nodes());

    for (const Flow &flow : flows) {
        for (int link : machine.torus.route(flow.from, flow.to))
            bytes[link] += static_cast<double>(flow.bytes);
        if (flow.from == flow.to)
            inside[flow.from] += static_cast<double>(flow.bytes);
    }
    return std::max(*std::max_element(bytes.begin(), bytes.end()) / parameters.link_rate,
                    *std::max_element(inside.begin(), inside.end()) / parameters.memory_rate);
}

} // namespace vesta
