/*
 * Lustre layouts: from a request to OSTs, and from there to what the user is
 * told.  No I/O here.
 */

#include "standin.h"

#include <errno.h>
#include <string.h>

/* Counts from here up are negative numbers: -k is k stripes on every OST. */
#define FIRST_NEGATIVE_COUNT 0xffe0
#define ANY_OST 0xffff

static int set_pattern(uint32_t asked, struct standin_layout *layout)
{
    if (asked == 0)
        asked = LOV_PATTERN_RAID0;
    layout->pattern = asked;
    if ((asked & LOV_PATTERN_OVERSTRIPING) && standin_config()->no_overstriping)
        return EINVAL;
    return (asked & ~LOV_PATTERN_OVERSTRIPING) == LOV_PATTERN_RAID0 ? 0 : EINVAL;
}

static int set_size(uint32_t asked, struct standin_layout *layout)
{
    layout->stripe_size = asked ? asked : standin_config()->default_size;
    return layout->stripe_size % LOV_MIN_STRIPE_SIZE == 0 ? 0 : EINVAL;
}

/* Only overstriping puts more than one stripe on an OST; other requests get as
 * many stripes as there are OSTs, without an error. */
static int set_count(unsigned asked, struct standin_layout *layout)
{
    unsigned osts = standin_config()->ost_count;
    unsigned count = asked ? asked : standin_config()->default_count;

    if (count >= FIRST_NEGATIVE_COUNT) {
        unsigned per_ost = UINT16_MAX + 1 - count;
        if (per_ost > 1)
            layout->pattern |= LOV_PATTERN_OVERSTRIPING;
        count = per_ost * osts;
    } else if (!(layout->pattern & LOV_PATTERN_OVERSTRIPING) && count > osts) {
        count = osts;
    }
    if (count > LOV_MAX_STRIPE_COUNT)
        return EINVAL;
    layout->stripe_count = count;
    return 0;
}

static int place_in_turn(unsigned first, uint64_t seed, struct standin_layout *layout)
{
    unsigned osts = standin_config()->ost_count;

    if (first == ANY_OST)
        first = (seed * UINT64_C(0x9e3779b97f4a7c15) >> 32) % osts; /* inodes may be 4 apart */
    if (first >= osts)
        return EINVAL;
    for (unsigned i = 0; i < layout->stripe_count; i++)
        layout->ost[i] = (first + i) % osts;
    return 0;
}

/* The request names every OST.  A start other than "any" must be one of them;
 * whether Lustre wants it to be the first was not measured. */
static int place_as_listed(const struct lov_user_md_v3 *lum, struct standin_layout *layout)
{
    bool used[LOV_MAX_STRIPE_COUNT] = {false};
    unsigned count = lum->lmm_stripe_count;

    if (count == 0 || count > LOV_MAX_STRIPE_COUNT)
        return EINVAL;
    for (unsigned i = 0; i < count; i++) {
        unsigned ost = lum->lmm_objects[i].l_ost_idx;
        if (ost >= standin_config()->ost_count)
            return EINVAL;
        if (used[ost] && !(layout->pattern & LOV_PATTERN_OVERSTRIPING))
            return EINVAL;
        used[ost] = true;
        layout->ost[i] = ost;
    }
    layout->stripe_count = count;
    if (lum->lmm_stripe_offset == ANY_OST)
        return 0;
    return lum->lmm_stripe_offset < standin_config()->ost_count && used[lum->lmm_stripe_offset]
               ? 0
               : EINVAL;
}

/* --- composite layouts: a header, a table of entries, and the components --- */

#define COMPOSITE_MAGIC 0x0bd60bd0
#define COMPOSITE_HEADER 32
#define AT_SIZE 4
#define AT_ENTRY_COUNT 14
#define COMPOSITE_ENTRY 48
#define AT_COMPONENT 24 /* in an entry */
#define AT_COMPONENT_SIZE 28
#define COMPOSITE_GENERATION 0xffff /* what an answer in plain form has */

static uint32_t get32(const unsigned char *data, size_t at)
{
    uint32_t value;

    memcpy(&value, data + at, sizeof value);
    return value;
}

size_t standin_layout_request_size(const void *request, size_t size)
{
    const struct lov_user_md_v1 *lum = request;
    size_t needed = 0;

    if (size < sizeof *lum)
        return 0;
    switch (lum->lmm_magic) {
        case LOV_USER_MAGIC_V1:
            needed = sizeof(struct lov_user_md_v1);
            break;
        case LOV_USER_MAGIC_V3:
            needed = sizeof(struct lov_user_md_v3);
            break;
        case LOV_USER_MAGIC_SPECIFIC:
            needed = sizeof(struct lov_user_md_v3) +
                     lum->lmm_stripe_count * sizeof(struct lov_user_ost_data_v1);
            break;
        case COMPOSITE_MAGIC:
            needed = get32(request, AT_SIZE);
            break;
        default:
            break;
    }
    return needed <= size ? needed : 0;
}

static int from_plain(const void *request, uint64_t seed, struct standin_layout *layout)
{
    const struct lov_user_md_v1 *lum = request;
    const struct lov_user_md_v3 *v3 = request;
    int err;

    layout->id = 0;
    layout->composite_size = 0;
    memset(layout->pool, 0, sizeof layout->pool);
    if (lum->lmm_magic != LOV_USER_MAGIC_V1)
        memcpy(layout->pool, v3->lmm_pool_name, LOV_MAXPOOLNAME);
    if ((err = set_pattern(lum->lmm_pattern, layout)) ||
        (err = set_size(lum->lmm_stripe_size, layout)))
        return err;
    if (lum->lmm_magic == LOV_USER_MAGIC_SPECIFIC)
        return place_as_listed(v3, layout);
    err = set_count(lum->lmm_stripe_count, layout);
    return err ? err : place_in_turn(lum->lmm_stripe_offset, seed, layout);
}

/* Only the last component is looked at. */
static int from_composite(const unsigned char *request, size_t size, uint64_t seed,
                          struct standin_layout *layout)
{
    uint16_t entries;
    const unsigned char *last;
    size_t at, component;
    int err;

    memcpy(&entries, request + AT_ENTRY_COUNT, sizeof entries);
    if (size > STANDIN_COMPOSITE || entries == 0 ||
        COMPOSITE_HEADER + (size_t) entries * COMPOSITE_ENTRY > size)
        return EINVAL;
    last = request + COMPOSITE_HEADER + (entries - 1) * COMPOSITE_ENTRY;
    at = get32(last, AT_COMPONENT);
    component = get32(last, AT_COMPONENT_SIZE);
    if (at > size || component > size - at ||
        standin_layout_request_size(request + at, component) == 0 ||
        get32(request + at, 0) == COMPOSITE_MAGIC)
        return EINVAL;
    err = from_plain(request + at, seed, layout);
    layout->composite_size = size;
    memcpy(layout->composite, request, size);
    return err;
}

int standin_layout_from_request(const void *request, size_t size, uint64_t seed,
                                struct standin_layout *layout)
{
    size_t used = standin_layout_request_size(request, size);

    if (used < sizeof(struct lov_user_md_v1))
        return EINVAL;
    return get32(request, 0) == COMPOSITE_MAGIC ? from_composite(request, used, seed, layout)
                                                : from_plain(request, seed, layout);
}

void standin_layout_default(uint64_t seed, struct standin_layout *layout)
{
    const struct lov_user_md_v1 lum = {
        .lmm_magic = LOV_USER_MAGIC_V1,
        .lmm_stripe_offset = ANY_OST,
    };

    standin_layout_from_request(&lum, sizeof lum, seed, layout);
}

static size_t header_size(const struct standin_layout *layout)
{
    return layout->pool[0] ? sizeof(struct lov_user_md_v3) : sizeof(struct lov_user_md_v1);
}

size_t standin_layout_user_size(const struct standin_layout *layout)
{
    return header_size(layout) + layout->stripe_count * sizeof(struct lov_user_ost_data_v1);
}

/* The field that names the first OST in a request holds the generation of the
 * layout in an answer, which is 0 where layouts never change. */
void standin_layout_to_user(const struct standin_layout *layout, uint64_t object_id, void *user)
{
    struct lov_user_md_v3 *lum = user;
    struct lov_user_ost_data_v1 *objects = (void *) ((char *) user + header_size(layout));

    memset(user, 0, standin_layout_user_size(layout));
    lum->lmm_magic = layout->pool[0] ? LOV_USER_MAGIC_V3 : LOV_USER_MAGIC_V1;
    lum->lmm_pattern = layout->pattern;
    lum->lmm_oi[0] = object_id;
    lum->lmm_stripe_size = layout->stripe_size;
    lum->lmm_stripe_count = layout->stripe_count;
    lum->lmm_layout_gen = layout->composite_size ? COMPOSITE_GENERATION : 0;
    if (layout->pool[0])
        memcpy(lum->lmm_pool_name, layout->pool, sizeof layout->pool);
    for (unsigned i = 0; i < layout->stripe_count; i++) {
        objects[i].l_ost_oi[0] = object_id;
        objects[i].l_ost_idx = layout->ost[i];
    }
}

static size_t plain_bytes(const struct standin_layout *layout)
{
    return offsetof(struct standin_layout, ost) + layout->stripe_count * sizeof(layout->ost[0]);
}

size_t standin_layout_pack(const struct standin_layout *layout, void *packed)
{
    size_t plain = plain_bytes(layout);

    memcpy(packed, layout, plain);
    memcpy((char *) packed + plain, layout->composite, layout->composite_size);
    return plain + layout->composite_size;
}

bool standin_layout_unpack(const void *packed, size_t size, struct standin_layout *layout)
{
    const size_t header = offsetof(struct standin_layout, ost);
    size_t plain;

    if (size < header)
        return false;
    memcpy(layout, packed, header);
    plain = plain_bytes(layout);
    if (layout->stripe_count > LOV_MAX_STRIPE_COUNT || size < plain ||
        size - plain > STANDIN_COMPOSITE)
        return false;
    memcpy(layout, packed, plain);
    layout->composite_size = size - plain;
    memcpy(layout->composite, (const char *) packed + plain, layout->composite_size);
    return true;
}
