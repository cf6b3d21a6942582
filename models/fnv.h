/* Hashes of bytes and numbers: FNV-1a (Fowler, Noll, Vo; draft-eastlake-fnv) of 64 bits. */

#ifndef ATM_FNV_H
#define ATM_FNV_H

#include <stddef.h>
#include <stdint.h>

#define ATM_FNV_BEGIN UINT64_C(0xcbf29ce484222325)

static inline uint64_t atm_fnv_add(uint64_t hash, uint64_t number)
{
    return (hash ^ number) * UINT64_C(0x100000001b3);
}

static inline uint64_t atm_fnv_bytes(uint64_t hash, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = atm_fnv_add(hash, (unsigned char) bytes[i]);
    return hash;
}

static inline uint64_t atm_fnv_text(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = atm_fnv_add(hash, (unsigned char) *text);
    return hash;
}

#endif /* ATM_FNV_H */
