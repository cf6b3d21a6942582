/* Handles of libraries to what is known of them, without a lock.  A handle is put and removed by
 * whoever owns it; a full map forgets new ones. */

#ifndef ATW_MAP_H
#define ATW_MAP_H

#include "atw.h"

enum { ATW_MAP_SIZE = 4096 };

typedef struct atw_slot {
    _Atomic uint64_t key; /* 0: free */
    uint32_t file;
    uint16_t call; /* what started, if something did */
    uint64_t id;   /* 0: nothing */
    int64_t offset;
    uint64_t bytes; /* that it asked for */
} atw_slot;

typedef struct atw_map {
    atomic_uint count;
    atw_slot slots[ATW_MAP_SIZE];
} atw_map;

/* Keys may be any number but 0 and 1.  value: its key is not looked at. */
bool atw_map_put(atw_map *map, uint64_t key, const atw_slot *value);
/* NULL: not known. */
atw_slot *atw_map_find(atw_map *map, uint64_t key);
void atw_map_remove(atw_map *map, atw_slot *slot);

/* The same, and nobody else finds it until it is let go: its handle may become another's. */
atw_slot *atw_map_claim(atw_map *map, uint64_t key);
void atw_map_let_go(atw_slot *slot, uint64_t key);

#endif /* ATW_MAP_H */
