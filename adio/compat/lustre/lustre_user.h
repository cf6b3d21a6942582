/*
 * The part of Lustre's user ABI that ROMIO's Lustre driver and this project
 * use, for machines without Lustre's own headers.  configure prefers those
 * where it finds them (--with-lustre=DIR); both describe the same kernel
 * interface.  Values and layouts hold for every 64-bit Linux since
 * Lustre 2.6 (O_LOV_DELAY_CREATE had other bits before).
 */

#ifndef ATC_COMPAT_LUSTRE_USER_H
#define ATC_COMPAT_LUSTRE_USER_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>

#define LL_SUPER_MAGIC 0x0BD00BD0

#define LOV_USER_MAGIC_V1 0x0BD10BD0
#define LOV_USER_MAGIC_V3 0x0BD30BD0
#define LOV_USER_MAGIC_SPECIFIC 0x0BD50BD0
#define LOV_USER_MAGIC LOV_USER_MAGIC_V1

#define LOV_PATTERN_RAID0 0x001
#define LOV_PATTERN_OVERSTRIPING 0x200

#define LOV_MAXPOOLNAME 15
#define LOV_MIN_STRIPE_SIZE 65536
#define LOV_MAX_STRIPE_COUNT 2000
#define LOV_ALL_STRIPES 0xffff

/* The size in these numbers is that of a pointer-sized argument, whatever
 * structure it points to; GETSTRIPE is encoded as a write although it reads. */
#define LL_IOC_LOV_SETSTRIPE _IOW('f', 154, long)
#define LL_IOC_LOV_GETSTRIPE _IOW('f', 155, long)
#define LL_IOC_GETOBDCOUNT _IOR('f', 168, long)

/* O_NOCTTY|FASYNC: create the file without objects, to set its layout later */
#define O_LOV_DELAY_CREATE 020400

struct lov_user_ost_data_v1 {
    uint64_t l_ost_oi[2];
    uint32_t l_ost_gen;
    uint32_t l_ost_idx;
} __attribute__((packed));

struct lov_user_md_v1 {
    uint32_t lmm_magic;
    uint32_t lmm_pattern;
    uint64_t lmm_oi[2];
    uint32_t lmm_stripe_size;
    uint16_t lmm_stripe_count;
    union {
        uint16_t lmm_stripe_offset; /* when setting: first OST, 0xffff = any */
        uint16_t lmm_layout_gen;    /* when getting */
    };
    struct lov_user_ost_data_v1 lmm_objects[];
} __attribute__((packed));

struct lov_user_md_v3 {
    uint32_t lmm_magic;
    uint32_t lmm_pattern;
    uint64_t lmm_oi[2];
    uint32_t lmm_stripe_size;
    uint16_t lmm_stripe_count;
    union {
        uint16_t lmm_stripe_offset;
        uint16_t lmm_layout_gen;
    };
    char lmm_pool_name[LOV_MAXPOOLNAME + 1];
    struct lov_user_ost_data_v1 lmm_objects[];
} __attribute__((packed));

/* the unversioned names that ROMIO uses */
#define lov_user_md lov_user_md_v1
#define lov_user_ost_data lov_user_ost_data_v1

#endif /* ATC_COMPAT_LUSTRE_USER_H */
