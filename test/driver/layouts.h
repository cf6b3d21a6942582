/*
 * Layouts of files on Lustre, as bytes of their attribute: what the tests of
 * late striping compare.
 */

#ifndef DRIVER_LAYOUTS_H
#define DRIVER_LAYOUTS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>

#include <lustre/lustre_user.h>

#define COMPOSITE_MAGIC 0x0BD60BD0

/* What matters of a layout; two are equal if these are. */
struct layout {
    uint32_t magic; /* 0: the file has none */
    uint32_t unit, count, first_ost;
    char pool[16];
    uint32_t components; /* bytes of a composite one */
};

static inline uint32_t number_at(const unsigned char *bytes, size_t at)
{
    uint32_t number;

    memcpy(&number, bytes + at, sizeof(number));
    return number;
}

static inline struct layout layout_of(const char *name)
{
    static unsigned char bytes[65536];
    ssize_t length = getxattr(name, "lustre.lov", bytes, sizeof(bytes));
    struct layout layout = {0};

    if (length < (ssize_t) sizeof(struct lov_user_md_v1))
        return layout;
    layout.magic = number_at(bytes, 0);
    if (layout.magic == COMPOSITE_MAGIC) {
        layout.components = (uint32_t) length;
        return layout;
    }
    layout.unit = number_at(bytes, 24);
    layout.count = number_at(bytes, 28) & 0xffff;
    if (layout.magic == LOV_USER_MAGIC_V3)
        memcpy(layout.pool, bytes + 32, sizeof(layout.pool));
    layout.first_ost = number_at(bytes, (layout.magic == LOV_USER_MAGIC_V3 ? 48 : 32) + 20);
    return layout;
}

/* But for the OSTs, which the server spreads. */
static inline int same_kind(struct layout one, struct layout other)
{
    return one.magic == other.magic && one.unit == other.unit && one.count == other.count &&
           one.components == other.components && strcmp(one.pool, other.pool) == 0;
}

/* Defaults for directories: 0 if it could be set. */

static inline int set_plain_default(const char *directory, uint32_t unit, uint16_t count)
{
    struct lov_user_md_v1 layout = {.lmm_magic = LOV_USER_MAGIC_V1,
                                    .lmm_pattern = LOV_PATTERN_RAID0,
                                    .lmm_stripe_size = unit,
                                    .lmm_stripe_count = count,
                                    .lmm_stripe_offset = 0xffff};

    return setxattr(directory, "lustre.lov", &layout, sizeof(layout), 0);
}

static inline int set_pool_default(const char *directory, uint16_t count, const char *pool)
{
    struct lov_user_md_v3 layout = {.lmm_magic = LOV_USER_MAGIC_V3,
                                    .lmm_pattern = LOV_PATTERN_RAID0,
                                    .lmm_stripe_count = count,
                                    .lmm_stripe_offset = 0xffff};

    snprintf(layout.lmm_pool_name, sizeof(layout.lmm_pool_name), "%s", pool);
    return setxattr(directory, "lustre.lov", &layout, sizeof(layout), 0);
}

/* One stripe up to 4 MiB, two after that. */
static inline int set_composite_default(const char *directory)
{
    enum { HEAD = 32, ENTRY = 48, LAYOUT = 32, BYTES = HEAD + 2 * ENTRY + 2 * LAYOUT };
    const uint64_t border = 4 << 20, extents[2][2] = {{0, border}, {border, UINT64_MAX}};
    unsigned char bytes[BYTES] = {0};
    uint32_t magic = COMPOSITE_MAGIC, size = BYTES, length = LAYOUT;
    uint16_t entries = 2;

    memcpy(bytes, &magic, 4);
    memcpy(bytes + 4, &size, 4);
    memcpy(bytes + 14, &entries, 2);
    for (uint32_t i = 0; i < 2; i++) {
        unsigned char *entry = bytes + HEAD + i * ENTRY;
        uint32_t id = i + 1, at = HEAD + 2 * ENTRY + i * LAYOUT;
        struct lov_user_md_v1 layout = {.lmm_magic = LOV_USER_MAGIC_V1,
                                        .lmm_pattern = LOV_PATTERN_RAID0,
                                        .lmm_stripe_size = 1 << 20,
                                        .lmm_stripe_count = (uint16_t) (i + 1),
                                        .lmm_stripe_offset = 0xffff};

        memcpy(entry, &id, 4);
        memcpy(entry + 8, extents[i], 16);
        memcpy(entry + 24, &at, 4);
        memcpy(entry + 28, &length, 4);
        memcpy(bytes + at, &layout, LAYOUT);
    }
    return setxattr(directory, "lustre.lov", bytes, BYTES, 0);
}

#endif /* DRIVER_LAYOUTS_H */
