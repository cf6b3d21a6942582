/* Writes of many ranks at once. */

#include "writers.hpp"

namespace sg = simgrid::s4u;

namespace vesta
{

Writers::Writers(const Network &network, Storage *storage, const std::vector<int> &ranks,
                 bool locking)
    : network_(network), storage_(storage), locking_(locking), done_(sg::Semaphore::create(0))
{
    for (int rank : ranks) {
        int number = network.machine.node_of(rank);

        nodes_.try_emplace(number, Node{number, sg::Semaphore::create(0), {}});
    }
    left_ = static_cast<int>(nodes_.size());
    for (auto &[number, node] : nodes_)
        sg::Actor::create("writer", network.host(number), [this, at = &node] { serve(at); });
    done_->acquire(); /* all are there */
}

/* The actors use this until they have seen the end. */
Writers::~Writers()
{
    ended_ = true;
    left_ = static_cast<int>(nodes_.size());
    for (auto &[number, node] : nodes_)
        node.start->release();
    done_->acquire();
}

void Writers::serve(Node *node)
{
    const sg::SemaphorePtr done = done_; /* outlives this */

    while (true) {
        if (--left_ == 0)
            done->release();
        node->start->acquire();
        if (ended_)
            break;
        for (const Request &request : node->requests)
            forward(node->number, request);
        node->requests.clear();
    }
    if (--left_ == 0)
        done->release();
}

void Writers::forward(int node, const Request &request)
{
    int io_node = network_.machine.pset_of(node);

    sg::this_actor::sleep_for(network_.parameters.forward_time);
    if (locking_)
        storage_->lock(io_node, request.offset, request.bytes);
    storage_->reserve(io_node, request.offset, request.bytes);
    network_.forward(node, request.bytes);
    sg::this_actor::sleep_for(static_cast<double>(request.bytes) / network_.parameters.copy_rate);
    storage_->fill(io_node, request.offset, request.bytes);
}

void Writers::write(const std::vector<Request> &requests)
{
    for (const Request &request : requests)
        nodes_.at(network_.machine.node_of(request.rank)).requests.push_back(request);
    for (auto &[number, node] : nodes_)
        left_ += !node.requests.empty();
    if (left_ == 0)
        return;
    for (auto &[number, node] : nodes_)
        if (!node.requests.empty())
            node.start->release();
    done_->acquire();
}

} // namespace vesta
