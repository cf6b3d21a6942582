/* I/O nodes with their caches, the disks behind them, tokens. */

#include "storage.hpp"

#include <simgrid/kernel/Timer.hpp>

#include <algorithm>
#include <cmath>

#include "common/rng.h"

namespace sg = simgrid::s4u;
using simgrid::kernel::timer::Timer;

namespace vesta
{

static double now()
{
    return sg::Engine::get_clock();
}

Storage::Storage(int io_nodes, const Parameters &parameters)
    : parameters_(parameters), io_nodes_(io_nodes), disks_(parameters.disks)
{
    for (IoNode &node : io_nodes_)
        node.free_blocks = static_cast<int>(parameters.cache / parameters.block);
}

/* A file starts on any disk. */
void Storage::begin(uint64_t seed)
{
    drain();
    seed_ = seed;
    random_.seed(seed);
    tokens_ = Tokens();
    written_ = flushed_ = 0;
    first_disk_ = random_() % disks_.size();
    for (IoNode &node : io_nodes_)
        node.next_disk = static_cast<int>(random_() % disks_.size());
    run_++;
    if (parameters_.background)
        next_burst(run_);
}

void Storage::end()
{
    run_++;
}

void Storage::drain()
{
    auto dirty = [this] {
        return std::any_of(io_nodes_.begin(), io_nodes_.end(),
                           [](const IoNode &node) { return node.flushing > 0; });
    };

    while (dirty())
        sg::this_actor::sleep_for(1);
    for (IoNode &node : io_nodes_) { /* what a lazy cache still has is forgotten */
        node.free_blocks += static_cast<int>(node.queue.size());
        node.dirty_blocks -= static_cast<int>(node.queue.size());
        node.queue.clear();
    }
}

/* --- the way into the cache */

/* The server answers one request after the other, and so do holders that give up
 * a range; the client waits for all of them. */
void Storage::lock(int io_node, uint64_t offset, uint64_t bytes)
{
    const Tokens::Grant grant = tokens_.acquire(io_node, offset, offset + bytes);

    if (!grant.asked)
        return;
    double answered = token_server_.serve(now(), parameters_.token_time), granted = answered;
    for (int holder : grant.revoked)
        granted = std::max(granted,
                           io_nodes_[holder].revocations.serve(answered, parameters_.revoke_time));
    sg::this_actor::sleep_until(granted);
}

int Storage::blocks_of(uint64_t offset, uint64_t bytes) const
{
    return static_cast<int>((offset + bytes - 1) / parameters_.block - offset / parameters_.block +
                            1);
}

void Storage::reserve(int io_node, uint64_t offset, uint64_t bytes)
{
    IoNode &node = io_nodes_[io_node];
    int blocks = blocks_of(offset, bytes);

    if (node.waiting.empty() && node.free_blocks >= blocks) {
        node.free_blocks -= blocks;
        return;
    }
    auto waiter = std::make_shared<Waiter>(Waiter{sg::Semaphore::create(0), blocks});
    node.waiting.push_back(waiter);
    flush(&node); /* a lazy cache starts now */
    waiter->woken->acquire();
}

/* First come, first served, so that large writes get their turn. */
void Storage::admit(IoNode *node)
{
    while (!node->waiting.empty() && node->waiting.front()->blocks <= node->free_blocks) {
        node->free_blocks -= node->waiting.front()->blocks;
        node->waiting.front()->woken->release();
        node->waiting.pop_front();
    }
}

int Storage::disk_of(IoNode *node, uint64_t block)
{
    uint64_t disks = disks_.size();

    switch (parameters_.spread) {
        case Spread::ALLOCATION:
            return static_cast<int>(static_cast<uint64_t>(node->next_disk++) % disks);
        case Spread::RANDOM:
            return static_cast<int>(rng_hash(seed_, block) % disks);
        case Spread::ROUND_ROBIN:
            break;
    }
    return static_cast<int>((first_disk_ + block) % disks);
}

void Storage::fill(int io_node, uint64_t offset, uint64_t bytes)
{
    IoNode &node = io_nodes_[io_node];
    const uint64_t end = offset + bytes, size = parameters_.block;
    std::shared_ptr<Waiter> writer;

    if (parameters_.policy == Cache::THROUGH)
        writer =
            std::make_shared<Waiter>(Waiter{sg::Semaphore::create(0), blocks_of(offset, bytes)});
    written_ += bytes;
    while (offset < end) {
        uint64_t next = std::min(end, (offset / size + 1) * size);

        node.queue.push_back({next - offset, disk_of(&node, offset / size), writer});
        node.dirty_blocks++;
        offset = next;
    }
    flush(&node);
    if (writer != nullptr)
        writer->woken->acquire();
}

/* --- the way out of it */

bool Storage::may_flush(const IoNode &node) const
{
    int half = static_cast<int>(parameters_.cache / parameters_.block / 2);

    return parameters_.policy != Cache::LAZY || node.dirty_blocks > half || !node.waiting.empty();
}

void Storage::flush(IoNode *node)
{
    while (node->flushing < parameters_.flushers && !node->queue.empty() && may_flush(*node)) {
        const Block block = node->queue.front();
        double sent = node->infiniband.serve(now(), static_cast<double>(block.bytes) /
                                                        parameters_.infiniband_rate);

        node->queue.pop_front();
        node->flushing++;
        Timer::set(sent, [this, node, block] { to_disk(node, block); });
    }
}

/* When it is on disk. */
double Storage::write_block(Disk *disk, const IoNode *node, uint64_t bytes)
{
    double seek = disk->last == node && node != nullptr ? 0 : parameters_.seek_time;

    disk->last = node;
    return disk->server.serve(now(), seek + static_cast<double>(bytes) / parameters_.disk_rate);
}

void Storage::to_disk(IoNode *node, const Block &block)
{
    double done = write_block(&disks_[block.disk], node, block.bytes);

    Timer::set(done, [this, node, block] { on_disk(node, block); });
}

void Storage::on_disk(IoNode *node, const Block &block)
{
    flushed_ += block.bytes;
    node->flushing--;
    node->dirty_blocks--;
    node->free_blocks++;
    if (block.writer != nullptr && --block.writer->blocks == 0)
        block.writer->woken->release();
    admit(node);
    flush(node);
}

/* --- others */

/* The same on every platform, unlike std::exponential_distribution. */
double Storage::exponential(double mean)
{
    double uniform = static_cast<double>(random_() >> 11) / 9007199254740992.0;

    return -mean * std::log1p(-uniform);
}

void Storage::next_burst(int run)
{
    Timer::set(now() + exponential(parameters_.burst_every), [this, run] {
        if (run != run_)
            return;
        double until = now() + exponential(parameters_.burst_length);

        for (size_t disk = 0; disk < disks_.size(); disk++)
            if (random_() % 2 == 0)
                burst(run, static_cast<int>(disk), until);
        next_burst(run);
    });
}

/* A block after the other, at a rate that is burst_load of the disk's. */
void Storage::burst(int run, int disk, double until)
{
    double each = static_cast<double>(parameters_.block) / parameters_.disk_rate;

    if (run != run_ || now() >= until)
        return;
    write_block(&disks_[disk], nullptr, parameters_.block);
    Timer::set(now() + each / parameters_.burst_load,
               [this, run, disk, until] { burst(run, disk, until); });
}

} // namespace vesta
