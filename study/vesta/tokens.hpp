/*
 * Byte-range tokens of one file, as GPFS grants them (Schmuck and Haskin, FAST
 * 2002, section 3.2): the first client gets the whole file.  A later one asks the
 * token server; the holder keeps what lies before, if it has written there, and
 * what it has written behind, and gives up the rest.
 */

#ifndef VESTA_TOKENS_HPP
#define VESTA_TOKENS_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

namespace vesta
{

class Tokens
{
  public:
    /* What a client had to do before it may write. */
    struct Grant {
        bool asked;            /* the token server; else the range was its own */
        std::set<int> revoked; /* clients that gave something up */
    };

    /* The client is going to write [from, to). */
    Grant acquire(int client, uint64_t from, uint64_t to);
    /* Parts of the file, each of one holder. */
    size_t ranges() const
    {
        return ranges_.size();
    }

  private:
    struct Range {
        uint64_t end;
        int client;
    };
    using Ranges = std::map<uint64_t, Range>; /* by start; without gaps */

    Ranges ranges_;
    std::map<uint64_t, uint64_t> used_; /* start to end of what was written */

    Ranges::iterator at(uint64_t offset);
    std::set<int> others(int client, uint64_t from, uint64_t to);
    uint64_t grow_down(int client, uint64_t from);
    uint64_t grow_up(int client, uint64_t to);
    void take(int client, uint64_t from, uint64_t to);
    void split(uint64_t offset);
    void use(uint64_t from, uint64_t to);
};

} // namespace vesta

#endif /* VESTA_TOKENS_HPP */
