/*
 * The stand-in against what a mounted Lustre 2.17 with 4 OSTs did.
 */

#include "test_standin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <lustre/lustre_user.h>

uint32_t get32(const void *base, size_t at)
{
    uint32_t value;

    memcpy(&value, (const char *) base + at, sizeof value);
    return value;
}

uint16_t get16(const void *base, size_t at)
{
    uint16_t value;

    memcpy(&value, (const char *) base + at, sizeof value);
    return value;
}

void put32(void *base, size_t at, uint32_t value)
{
    memcpy((char *) base + at, &value, sizeof value);
}

struct lum *request(uint32_t magic, uint32_t pattern, uint32_t size, uint16_t count,
                    uint16_t offset)
{
    static struct lum lum;

    memset(&lum, 0, sizeof lum);
    put32(&lum, 0, magic);
    put32(&lum, 4, pattern);
    put32(&lum, 24, size);
    memcpy(lum.bytes + 28, &count, sizeof count);
    memcpy(lum.bytes + 30, &offset, sizeof offset);
    return &lum;
}

static struct lum *request_listed(uint32_t pattern, uint16_t offset, int count, const int *osts)
{
    struct lum *lum = request(SPECIFIC, pattern, MiB, count, offset);

    for (int i = 0; i < count; i++)
        put32(lum, 48 + 24 * i + 20, osts[i]);
    return lum;
}

/* A question with room for all objects. */
static void ask_all(struct lum *lum)
{
    memset(lum, 0, sizeof *lum);
    put32(lum, 0, V1);
    put32(lum, 28, LOV_MAX_STRIPE_COUNT);
}

void check_layout(int fd, uint32_t pattern, uint32_t size, int count, const int *osts)
{
    static struct lum lum;

    ask_all(&lum);
    assert_int_equal(ioctl(fd, GETSTRIPE, &lum), 0);
    assert_int_equal(get32(&lum, 0), V1);
    assert_int_equal(get32(&lum, 4), pattern);
    assert_int_equal(get32(&lum, 24), size);
    assert_int_equal(get16(&lum, 28), count);
    assert_int_equal(get16(&lum, 30), 0);
    for (int i = 0; osts && i < count; i++)
        assert_int_equal(get32(&lum, 32 + 24 * i + 20), osts[i]);
}

void check_no_layout(int fd)
{
    struct lum lum = {{0}};

    FAILS(ioctl(fd, GETSTRIPE, &lum), ENODATA);
}

int create_delayed(void)
{
    static int number;
    char name[64];
    int fd;

    snprintf(name, sizeof name, "lustre/delayed-%d", number++);
    fd = open(name, O_CREAT | O_EXCL | O_RDWR | DELAY_CREATE, 0600);
    assert_true(fd >= 0);
    return fd;
}

#define CHECK_PLACE(type, member, place) assert_int_equal(offsetof(struct type, member), place)

void lustre_header_has_the_kernels_numbers(void **state)
{
    (void) state;
    assert_int_equal(LL_SUPER_MAGIC, 0x0bd00bd0);
    assert_int_equal(LOV_USER_MAGIC_V1, V1);
    assert_int_equal(LOV_USER_MAGIC_V3, V3);
    assert_int_equal(LOV_USER_MAGIC_SPECIFIC, SPECIFIC);
    assert_int_equal(LL_IOC_LOV_SETSTRIPE, SETSTRIPE);
    assert_int_equal(LL_IOC_LOV_GETSTRIPE, GETSTRIPE);
    assert_int_equal(LL_IOC_GETOBDCOUNT, GETOBDCOUNT);
    assert_int_equal(O_LOV_DELAY_CREATE, DELAY_CREATE);
    assert_int_equal(LOV_PATTERN_RAID0 | LOV_PATTERN_OVERSTRIPING, 0x201);
    assert_int_equal(LOV_MAX_STRIPE_COUNT, 2000);
    assert_int_equal(LOV_MIN_STRIPE_SIZE, 65536);
    assert_int_equal(LOV_ALL_STRIPES, 0xffff);
    assert_int_equal(sizeof(struct lov_user_md_v1), 32);
    assert_int_equal(sizeof(struct lov_user_md_v3), 48);
    assert_int_equal(sizeof(struct lov_user_ost_data_v1), 24);
    CHECK_PLACE(lov_user_md_v1, lmm_magic, 0);
    CHECK_PLACE(lov_user_md_v1, lmm_pattern, 4);
    CHECK_PLACE(lov_user_md_v1, lmm_oi, 8);
    CHECK_PLACE(lov_user_md_v1, lmm_stripe_size, 24);
    CHECK_PLACE(lov_user_md_v1, lmm_stripe_count, 28);
    CHECK_PLACE(lov_user_md_v1, lmm_stripe_offset, 30);
    CHECK_PLACE(lov_user_md_v1, lmm_layout_gen, 30);
    CHECK_PLACE(lov_user_md_v1, lmm_objects, 32);
    CHECK_PLACE(lov_user_md_v3, lmm_stripe_size, 24);
    CHECK_PLACE(lov_user_md_v3, lmm_stripe_count, 28);
    CHECK_PLACE(lov_user_md_v3, lmm_stripe_offset, 30);
    CHECK_PLACE(lov_user_md_v3, lmm_pool_name, 32);
    CHECK_PLACE(lov_user_md_v3, lmm_objects, 48);
    CHECK_PLACE(lov_user_ost_data_v1, l_ost_gen, 16);
    CHECK_PLACE(lov_user_ost_data_v1, l_ost_idx, 20);
}

void lustre_counts_osts_on_directories(void **state)
{
    int fd = open("lustre", O_RDONLY | O_DIRECTORY);
    int file = create_delayed();
    int count = 0;

    (void) state;
    assert_int_equal(ioctl(fd, GETOBDCOUNT, &count), 0);
    assert_int_equal(count, 4);
    count = 1;
    assert_int_equal(ioctl(fd, GETOBDCOUNT, &count), 0);
    assert_int_equal(count, 64);
    FAILS(ioctl(file, GETOBDCOUNT, &count), ENOTTY);
    close(file);
    close(fd);
}

void lustre_plain_create_gets_default_layout(void **state)
{
    int fd = open("lustre/plain", O_CREAT | O_RDWR, 0600);
    int created = creat("lustre/creat", 0600);

    (void) state;
    check_layout(fd, 0x1, 4 * MiB, 1, NULL);
    check_layout(created, 0x1, 4 * MiB, 1, NULL);
    FAILS(ioctl(fd, SETSTRIPE, request(V1, 0, MiB, 2, 0xffff)), EEXIST);
    close(created);
    close(fd);
}

void lustre_delayed_create_has_no_layout(void **state)
{
    int fd = create_delayed();

    (void) state;
    check_no_layout(fd);
    close(fd);
}

void lustre_sets_two_stripes(void **state)
{
    int fd = create_delayed();
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    (void) state;
    assert_int_equal(ioctl(fd, SETSTRIPE, request(V1, 0, MiB, 2, 0xffff)), 0);
    check_layout(fd, 0x1, MiB, 2, NULL);
    assert_int_equal(write(fd, "x", 1), 1);
    assert_int_equal(fcntl(fd, F_SETLK, &lock), 0);
    close(fd);
}

enum { MOST_OSTS = 1000 };

/* Counts the OSTs of the stand-in, or of the Lustre that it is compared with. */
static int count_osts(void)
{
    int fd = open("lustre", O_RDONLY | O_DIRECTORY), count = 0;

    assert_int_equal(ioctl(fd, GETOBDCOUNT, &count), 0);
    assert_in_range(count, 4, MOST_OSTS);
    close(fd);
    return count;
}

/* One after the other, from that one on; valid until the next call. */
static const int *osts_from(int first, int count)
{
    static int osts[2 * MOST_OSTS];
    int all = count_osts();

    for (int i = 0; i < count; i++)
        osts[i] = (first + i) % all;
    return osts;
}

void lustre_all_osts_from_the_third(void **state)
{
    int fd = create_delayed(), all = count_osts();

    (void) state;
    assert_int_equal(ioctl(fd, SETSTRIPE, request(V1, 0, 65536, 0xffff, 2)), 0);
    check_layout(fd, 0x1, 65536, all, osts_from(2, all));
    close(fd);
}

void lustre_layout_is_set_once(void **state)
{
    int fd = create_delayed();

    (void) state;
    assert_int_equal(ioctl(fd, SETSTRIPE, request(V1, 0, MiB, 2, 1)), 0);
    FAILS(ioctl(fd, SETSTRIPE, request(V1, 0, MiB, 3, 0)), EEXIST);
    check_layout(fd, 0x1, MiB, 2, (int[]){1, 2});
    close(fd);
}

void lustre_refuses_bad_requests(void **state)
{
    int fd = create_delayed();

    (void) state;
    FAILS(ioctl(fd, SETSTRIPE, request(V1, 0, 100000, 2, 0xffff)), EINVAL);
    FAILS(ioctl(fd, SETSTRIPE, request(V1, 0, MiB, 2, 77)), EINVAL);
    FAILS(ioctl(fd, SETSTRIPE, request(V1, 0, MiB, 2, 4)), EINVAL);
    FAILS(ioctl(fd, SETSTRIPE, request(V1, 0x100, MiB, 2, 0xffff)), EINVAL);
    FAILS(ioctl(fd, SETSTRIPE, request(V3, 0x201, MiB, 2001, 0xffff)), EINVAL);
    FAILS(ioctl(fd, SETSTRIPE, request(0x0bd60bd0, 0, MiB, 2, 0xffff)), EINVAL);
    FAILS(ioctl(fd, SETSTRIPE, request(0, 0, MiB, 2, 0xffff)), EINVAL);
    check_no_layout(fd);
    close(fd);
}

void lustre_clamps_the_count(void **state)
{
    int all = count_osts();

    (void) state;
    for (uint32_t pattern = 0; pattern <= 1; pattern++) {
        int fd = create_delayed();
        assert_int_equal(ioctl(fd, SETSTRIPE, request(V1, pattern, MiB, (uint16_t) (2 * all), 0)),
                         0);
        check_layout(fd, 0x1, MiB, all, osts_from(0, all));
        close(fd);
    }
}

void lustre_overstripes(void **state)
{
    int fd = create_delayed(), all = count_osts();

    (void) state;
    assert_int_equal(ioctl(fd, SETSTRIPE, request(V3, 0x201, MiB, (uint16_t) (2 * all), 3)), 0);
    check_layout(fd, 0x201, MiB, 2 * all, osts_from(3, 2 * all));
    close(fd);
}

void lustre_negative_count_is_stripes_per_ost(void **state)
{
    (void) state;
    for (uint32_t pattern = 0; pattern <= 0x201; pattern += 0x201) {
        int fd = create_delayed();
        assert_int_equal(ioctl(fd, SETSTRIPE, request(V3, pattern, MiB, (uint16_t) -2, 1)), 0);
        check_layout(fd, 0x201, MiB, 8, (int[]){1, 2, 3, 0, 1, 2, 3, 0});
        close(fd);
    }
}

void lustre_takes_listed_osts(void **state)
{
    const int distinct[] = {3, 1, 0};
    const int repeated[] = {2, 2, 1, 1, 0};
    int fd = create_delayed(), any = create_delayed(), over = create_delayed();

    (void) state;
    assert_int_equal(ioctl(fd, SETSTRIPE, request_listed(0x1, 3, 3, distinct)), 0);
    check_layout(fd, 0x1, MiB, 3, distinct);
    assert_int_equal(ioctl(any, SETSTRIPE, request_listed(0x1, 0xffff, 3, distinct)), 0);
    check_layout(any, 0x1, MiB, 3, distinct);
    FAILS(ioctl(over, SETSTRIPE, request_listed(0x1, 0xffff, 5, repeated)), EINVAL);
    FAILS(ioctl(over, SETSTRIPE, request_listed(0x1, 0xffff, 2, (int[]){0, 4})), EINVAL);
    FAILS(ioctl(over, SETSTRIPE, request_listed(0x1, 0xffff, 0, NULL)), EINVAL);
    check_no_layout(over);
    assert_int_equal(ioctl(over, SETSTRIPE, request_listed(0x201, 0xffff, 5, repeated)), 0);
    check_layout(over, 0x201, MiB, 5, repeated);
    close(over);
    close(any);
    close(fd);
}

void lustre_zero_means_default(void **state)
{
    int fd = create_delayed();

    (void) state;
    assert_int_equal(ioctl(fd, SETSTRIPE, request(V1, 0, 0, 0, 3)), 0);
    check_layout(fd, 0x1, 4 * MiB, 1, (int[]){3});
    close(fd);
}

void lustre_pool_is_reported_as_v3(void **state)
{
    struct lum *lum = request(V3, 0, MiB, 2, 1);
    int fd = create_delayed();

    (void) state;
    strcpy((char *) lum->bytes + 32, "flash");
    assert_int_equal(ioctl(fd, SETSTRIPE, lum), 0);
    ask_all(lum);
    put32(lum, 0, V3);
    assert_int_equal(ioctl(fd, GETSTRIPE, lum), 0);
    assert_int_equal(get32(lum, 0), V3);
    assert_string_equal((char *) lum->bytes + 32, "flash");
    assert_int_equal(get32(lum, 48 + 20), 1);
    assert_int_equal(get32(lum, 48 + 24 + 20), 2);
    assert_int_equal(fgetxattr(fd, "lustre.lov", NULL, 0), 48 + 24 * 2);
    close(fd);
}

void lustre_keeps_two_thousand_stripes(void **state)
{
    int fd = create_delayed();

    (void) state;
    assert_int_equal(ioctl(fd, SETSTRIPE, request(V3, 0x201, MiB, 2000, 0)), 0);
    check_layout(fd, 0x201, MiB, 2000, NULL);
    close(fd);
}

void lustre_spreads_files(void **state)
{
    struct lum lum;
    unsigned starts = 0;

    (void) state;
    for (int i = 0; i < 16; i++) {
        int fd = create_delayed();
        assert_int_equal(ioctl(fd, SETSTRIPE, request(V1, 0, MiB, 1, 0xffff)), 0);
        ask_all(&lum);
        assert_int_equal(ioctl(fd, GETSTRIPE, &lum), 0);
        assert_in_range(get32(&lum, 32 + 20), 0, 3);
        starts |= 1u << get32(&lum, 32 + 20);
        close(fd);
    }
    assert_true(starts & (starts - 1));
}

/* "Third time on a mounted Lustre": count and size are right, objects are not there. */
void lustre_copies_no_more_than_there_is_room_for(void **state)
{
    static const unsigned rooms[] = {0, LOV_MAX_STRIPE_COUNT};
    int fd = create_delayed();
    struct lum lum;

    (void) state;
    assert_int_equal(ioctl(fd, SETSTRIPE, request(V1, 0, MiB, 2, 2)), 0);
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        memset(&lum, 0xa5, sizeof lum);
        put32(&lum, 0, V1);
        put32(&lum, 28, rooms[i]);
        assert_int_equal(ioctl(fd, GETSTRIPE, &lum), 0);
        assert_int_equal(get32(&lum, 24), MiB);
        assert_int_equal(get16(&lum, 28), 2);
        for (unsigned object = 0; object < 2; object++)
            assert_int_equal(get32(&lum, 32 + 24 * object + 20),
                             object < rooms[i] ? 2 + object : 0xa5a5a5a5);
    }
    close(fd);
}

void lustre_layout_as_attribute(void **state)
{
    int fd = open("lustre/attribute", O_CREAT | O_RDWR | DELAY_CREATE, 0600);
    struct lum lum;

    (void) state;
    FAILS(fgetxattr(fd, "lustre.lov", &lum, sizeof lum), ENODATA);
    FAILS(fsetxattr(fd, "lustre.lov", request(V1, 0, MiB, 3, 1), 31, 0), EINVAL);
    assert_int_equal(fsetxattr(fd, "lustre.lov", request(V1, 0, MiB, 3, 1), 32, 0), 0);
    check_layout(fd, 0x1, MiB, 3, (int[]){1, 2, 3});
    FAILS(setxattr("lustre/attribute", "lustre.lov", request(V1, 0, MiB, 3, 1), 32, 0), EEXIST);
    assert_int_equal(fgetxattr(fd, "lustre.lov", &lum, sizeof lum), 32 + 24 * 3);
    assert_int_equal(get32(&lum, 0), V1);
    FAILS(fgetxattr(fd, "lustre.lov", &lum, 32), ERANGE);
    assert_int_equal(getxattr("lustre/attribute", "lustre.lov", NULL, 0), 32 + 24 * 3);
    if (geteuid() == 0)
        assert_int_equal(getxattr("lustre/attribute", "trusted.lov", &lum, sizeof lum),
                         32 + 24 * 3);
    close(fd);
}

void lustre_reports_ost_state(void **state)
{
    _Alignas(8) unsigned char data[576 + 16] = {0}, statfs[144];
    char uuid[40];
    void *outputs[] = {statfs, uuid};
    int fd = open("lustre", O_RDONLY | O_DIRECTORY);

    (void) state;
    put32(data, 0, sizeof data);
    put32(data, 4, 0x10004);
    put32(data, 480, sizeof statfs);
    memcpy(data + 488, &outputs[0], sizeof outputs[0]);
    put32(data, 496, sizeof uuid);
    memcpy(data + 504, &outputs[1], sizeof outputs[1]);
    put32(data, 512, 4);
    put32(data, 528, 4);
    put32(data, 576, 2);
    for (uint32_t index = 0; index < 4; index++) {
        put32(data, 584, index);
        assert_int_equal(ioctl(fd, OBD_STATFS, data), 0);
        assert_int_equal(get32(statfs, 104), 0x200);
        assert_true(get32(statfs, 88) > 0);
    }
    assert_int_equal(ioctl(fd, (int) OBD_STATFS, data), 0); /* sign-extended */
    put32(data, 584, 4);
    FAILS(ioctl(fd, OBD_STATFS, data), EAGAIN);
    put32(data, 584, 64);
    FAILS(ioctl(fd, OBD_STATFS, data), ENODEV);
    close(fd);
}
