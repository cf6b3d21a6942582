/*
 * I/O nodes with their caches, the disks behind them, the tokens of the file and
 * the load that others put on the disks.  Driven by SimGrid's timers; functions
 * that block must be called by an actor.
 */

#ifndef VESTA_STORAGE_HPP
#define VESTA_STORAGE_HPP

#include <simgrid/s4u.hpp>

#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "parameters.hpp"
#include "tokens.hpp"

namespace vesta
{

/* Serves one after the other, in the order of arrival. */
class Server
{
  public:
    /* When work that arrives now is done; calls must come in order of time. */
    double serve(double now, double duration)
    {
        free_at_ = std::max(now, free_at_) + duration;
        busy_ += duration;
        return free_at_;
    }
    double busy() const
    {
        return busy_;
    }

  private:
    double free_at_ = 0, busy_ = 0;
};

class Storage
{
  public:
    Storage(int io_nodes, const Parameters &parameters);

    /* A new file with empty caches; seed determines the load from others. */
    void begin(uint64_t seed);
    /* Does not wait for the caches; the load from others stops. */
    void end();

    /* The three steps of a write of [offset, offset + bytes) at an I/O node; the
     * data move between the second and the third. */
    void lock(int io_node, uint64_t offset, uint64_t bytes);
    void reserve(int io_node, uint64_t offset, uint64_t bytes);
    void fill(int io_node, uint64_t offset, uint64_t bytes);

    uint64_t written() const /* by fill, since begin */
    {
        return written_;
    }
    uint64_t flushed() const /* to disks, since begin */
    {
        return flushed_;
    }
    /* Waits until all that was written is on disk. */
    void drain();

  private:
    /* An actor that waits for its turn, or for its blocks. */
    struct Waiter {
        simgrid::s4u::SemaphorePtr woken;
        int blocks;
    };
    struct Block {
        uint64_t bytes;
        int disk;
        std::shared_ptr<Waiter> writer; /* that waits until it is on disk, or none */
    };
    struct IoNode {
        int free_blocks;
        int dirty_blocks = 0; /* of the cache, on the way to disk or not */
        int flushing = 0;
        int next_disk = 0;
        std::deque<Block> queue;                     /* dirty, not yet on the way */
        std::deque<std::shared_ptr<Waiter>> waiting; /* for free blocks */
        Server infiniband;
        Server revocations;
    };

    /* The arm moves when another node's block, or others', was before. */
    struct Disk {
        Server server;
        const IoNode *last = nullptr;
    };

    const Parameters &parameters_;
    std::vector<IoNode> io_nodes_;
    std::vector<Disk> disks_;
    Server token_server_;
    Tokens tokens_;
    std::mt19937_64 random_;
    uint64_t seed_ = 0, first_disk_ = 0, written_ = 0, flushed_ = 0;
    int run_ = 0; /* bursts of earlier ones end */

    int blocks_of(uint64_t offset, uint64_t bytes) const;
    int disk_of(IoNode *node, uint64_t block);
    bool may_flush(const IoNode &node) const;
    void flush(IoNode *node);
    double write_block(Disk *disk, const IoNode *node, uint64_t bytes);
    void to_disk(IoNode *node, const Block &block);
    void on_disk(IoNode *node, const Block &block);
    void admit(IoNode *node);
    double exponential(double mean);
    void next_burst(int run);
    void burst(int run, int disk, double until);
};

} // namespace vesta

#endif /* VESTA_STORAGE_HPP */
