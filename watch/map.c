/* Open addressing in a fixed table. */

#include "map.h"

/* A slot that is being filled, or claimed, is found by nobody. */
enum { FREE = 0, HELD = 1, NEAR = 64 };

static unsigned first_of(uint64_t key)
{
    return (unsigned) (key * 0x9e3779b97f4a7c15u >> 52) % ATW_MAP_SIZE;
}

/* Slots are searched up to a distance, and so may be freed at any time. */
static atw_slot *near(atw_map *map, uint64_t key, unsigned distance)
{
    return &map->slots[(first_of(key) + distance) % ATW_MAP_SIZE];
}

bool atw_map_put(atw_map *map, uint64_t key, const atw_slot *value)
{
    for (unsigned i = 0; i < NEAR; i++) {
        atw_slot *slot = near(map, key, i);
        uint64_t free = FREE;

        if (!atomic_compare_exchange_strong(&slot->key, &free, HELD))
            continue;
        slot->file = value->file;
        slot->call = value->call;
        slot->id = value->id;
        slot->offset = value->offset;
        slot->bytes = value->bytes;
        atomic_store_explicit(&slot->key, key, memory_order_release);
        atomic_fetch_add(&map->count, 1);
        return true;
    }
    return false;
}

atw_slot *atw_map_find(atw_map *map, uint64_t key)
{
    if (key <= HELD || atomic_load_explicit(&map->count, memory_order_relaxed) == 0)
        return NULL;
    for (unsigned i = 0; i < NEAR; i++) {
        atw_slot *slot = near(map, key, i);

        if (atomic_load_explicit(&slot->key, memory_order_acquire) == key)
            return slot;
    }
    return NULL;
}

void atw_map_remove(atw_map *map, atw_slot *slot)
{
    atomic_store_explicit(&slot->key, FREE, memory_order_release);
    atomic_fetch_sub(&map->count, 1);
}

atw_slot *atw_map_claim(atw_map *map, uint64_t key)
{
    atw_slot *slot = atw_map_find(map, key);

    return slot != NULL && atomic_compare_exchange_strong(&slot->key, &key, HELD) ? slot : NULL;
}

void atw_map_let_go(atw_slot *slot, uint64_t key)
{
    atomic_store_explicit(&slot->key, key, memory_order_release);
}
