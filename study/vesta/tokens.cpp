/* Byte-range tokens of one file. */

#include "tokens.hpp"

#include <algorithm>

namespace vesta
{

constexpr uint64_t END = UINT64_MAX;

Tokens::Ranges::iterator Tokens::at(uint64_t offset)
{
    return std::prev(ranges_.upper_bound(offset));
}

std::set<int> Tokens::others(int client, uint64_t from, uint64_t to)
{
    std::set<int> others;

    for (auto range = at(from); range != ranges_.end() && range->first < to; ++range)
        if (range->second.client != client)
            others.insert(range->second.client);
    return others;
}

/* A holder that has written before is going to write on. */
uint64_t Tokens::grow_down(int client, uint64_t from)
{
    auto range = at(from);
    auto piece = used_.lower_bound(from);

    if (range->second.client == client ||
        (piece != used_.begin() && std::prev(piece)->second > range->first))
        return from;
    return range->first;
}

uint64_t Tokens::grow_up(int client, uint64_t to)
{
    auto range = at(to - 1);
    auto piece = used_.lower_bound(to);

    if (range->second.client == client)
        return to;
    return piece == used_.end() ? range->second.end : std::min(range->second.end, piece->first);
}

void Tokens::split(uint64_t offset)
{
    if (offset == END)
        return;
    auto range = at(offset);
    if (range->first == offset)
        return;
    ranges_[offset] = range->second;
    range->second.end = offset;
}

/* Joined with what the client has on both sides. */
void Tokens::take(int client, uint64_t from, uint64_t to)
{
    split(from);
    split(to);
    auto first = ranges_.find(from), last = ranges_.lower_bound(to);
    if (last != ranges_.end() && last->second.client == client) {
        to = last->second.end;
        ++last;
    }
    if (first != ranges_.begin() && std::prev(first)->second.client == client) {
        from = std::prev(first)->first;
        --first;
    }
    ranges_.erase(first, last);
    ranges_[from] = {to, client};
}

/* Writes that follow each other are one piece. */
void Tokens::use(uint64_t from, uint64_t to)
{
    auto after = used_.upper_bound(from);

    if (after != used_.begin() && std::prev(after)->second >= from)
        std::prev(after)->second = std::max(std::prev(after)->second, to);
    else
        used_.emplace(from, to);
}

Tokens::Grant Tokens::acquire(int client, uint64_t from, uint64_t to)
{
    Grant grant = {ranges_.empty(), {}};

    if (ranges_.empty())
        ranges_[0] = {END, client};
    grant.revoked = others(client, from, to);
    if (!grant.revoked.empty()) {
        grant.asked = true;
        take(client, grow_down(client, from), grow_up(client, to));
    }
    use(from, to);
    return grant;
}

} // namespace vesta
