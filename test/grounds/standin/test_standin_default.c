/*
 * The default layouts of directories, and composite layouts: the rows of "Default
 * layouts of directories" as a mounted Lustre 2.17 showed them, the file system's
 * default being 1 stripe of 4 MiB.
 */

#include "test_standin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ANY 0xffff

static void put16(void *base, size_t at, uint16_t value)
{
    memcpy((char *) base + at, &value, sizeof value);
}

/* 192 bytes: one stripe of 1 MiB up to 4 MiB, then COUNT stripes of SIZE. */
static struct lum *request_composite(uint32_t size, uint16_t count)
{
    static struct lum lum;
    const uint64_t ends[2] = {4 * MiB, UINT64_MAX};
    const uint32_t sizes[2] = {MiB, size};
    const uint16_t counts[2] = {1, count};

    memset(&lum, 0, sizeof lum);
    put32(&lum, 0, COMPOSITE);
    put32(&lum, 4, 192);
    put16(&lum, 14, 2);
    for (int i = 0; i < 2; i++) {
        size_t entry = 32 + 48 * (size_t) i, component = 128 + 32 * (size_t) i;
        memcpy(lum.bytes + entry + 8, i == 0 ? &(uint64_t){0} : &ends[0], 8);
        memcpy(lum.bytes + entry + 16, &ends[i], 8);
        put32(&lum, entry + 24, (uint32_t) component);
        put32(&lum, entry + 28, 32);
        put32(&lum, component, V1);
        put32(&lum, component + 4, 1);
        put32(&lum, component + 24, sizes[i]);
        put16(&lum, component + 28, counts[i]);
        put16(&lum, component + 30, ANY);
    }
    return &lum;
}

static struct lum *request_pool(const char *pool, uint16_t count)
{
    struct lum *lum = request(V3, 0, 0, count, ANY);

    strcpy((char *) lum->bytes + 32, pool);
    return lum;
}

/* A directory with a default, which may be NULL. */
static int make_directory(const char *name, const struct lum *lum)
{
    int fd;

    assert_int_equal(mkdir(name, 0700), 0);
    fd = open(name, O_RDONLY | O_DIRECTORY);
    assert_true(fd >= 0);
    if (lum)
        assert_int_equal(ioctl(fd, SETSTRIPE, lum), 0);
    return fd;
}

static int create_in(int directory, const char *name, int flags)
{
    int fd = openat(directory, name, O_CREAT | O_EXCL | O_RDWR | flags, 0600);

    assert_true(fd >= 0);
    return fd;
}

/* The directory tells this, by ioctl and as its attribute. */
static void check_default(int directory, uint32_t magic, ssize_t size)
{
    static struct lum told, attribute;

    memset(&told, 0, sizeof told);
    put32(&told, 0, V1);
    assert_int_equal(ioctl(directory, GETSTRIPE, &told), 0);
    assert_int_equal(get32(&told, 0), magic);
    assert_int_equal(fgetxattr(directory, "lustre.lov", NULL, 0), size);
    assert_int_equal(fgetxattr(directory, "lustre.lov", &attribute, sizeof attribute), size);
    assert_memory_equal(&told, &attribute, size);
    FAILS(fgetxattr(directory, "lustre.lov", &attribute, 31), ERANGE);
}

/* A late file that gets its layout by SETSTRIPE with size 0 and count 0. */
static int create_zero(int directory)
{
    int fd = create_in(directory, "zero", DELAY_CREATE);

    assert_int_equal(ioctl(fd, SETSTRIPE, request(V1, 0, 0, 0, ANY)), 0);
    return fd;
}

/* Row "no default anywhere" */
void default_is_none_at_first(void **state)
{
    int directory = make_directory("lustre/none", NULL);
    int plain = create_in(directory, "plain", 0), zero = create_zero(directory);
    struct lum lum;

    (void) state;
    check_no_layout(directory);
    FAILS(fgetxattr(directory, "lustre.lov", &lum, sizeof lum), ENODATA);
    FAILS(getxattr("lustre/none", "lustre.lov", &lum, sizeof lum), ENODATA);
    check_layout(plain, 0x1, 4 * MiB, 1, NULL);
    check_layout(zero, 0x1, 4 * MiB, 1, NULL);
    close(zero);
    close(plain);
    close(directory);
}

/* Row "setstripe -c 2 -S 2M" */
void default_plain(void **state)
{
    int directory = make_directory("lustre/plain-default", request(V1, 0, 2 * MiB, 2, ANY));
    int plain = create_in(directory, "plain", 0), zero = create_zero(directory);
    struct lum lum = {{0}};

    (void) state;
    check_default(directory, V1, 32);
    assert_int_equal(ioctl(directory, GETSTRIPE, &lum), 0);
    assert_int_equal(get32(&lum, 24), 2 * MiB);
    assert_int_equal(get16(&lum, 28), 2);
    check_layout(plain, 0x1, 2 * MiB, 2, NULL);
    check_layout(zero, 0x1, 4 * MiB, 1, NULL);
    close(zero);
    close(plain);
    close(directory);
}

static void check_pool(int fd, int count)
{
    struct lum lum = {{0}};

    assert_int_equal(ioctl(fd, GETSTRIPE, &lum), 0);
    assert_int_equal(get32(&lum, 0), V3);
    assert_int_equal(get32(&lum, 24), 4 * MiB);
    assert_int_equal(get16(&lum, 28), count);
    assert_string_equal((char *) lum.bytes + 32, "flash");
}

/* Row "pool, -c 2" */
void default_pool(void **state)
{
    int directory = make_directory("lustre/pool-default", request_pool("flash", 2));
    int plain = create_in(directory, "plain", 0), zero = create_zero(directory);
    struct lum lum = {{0}};

    (void) state;
    check_default(directory, V3, 48);
    assert_int_equal(ioctl(directory, GETSTRIPE, &lum), 0);
    assert_int_equal(get32(&lum, 24), 0);
    assert_int_equal(get16(&lum, 28), 2);
    check_pool(plain, 2);
    check_pool(zero, 1);
    close(zero);
    close(plain);
    close(directory);
}

/* The file's layout is the composite one; asked in plain form, as one component
 * of 4 stripes, with what was measured as the generation. */
static void check_composite(int fd)
{
    static struct lum lum;

    memset(&lum, 0, sizeof lum);
    put32(&lum, 0, V1);
    assert_int_equal(ioctl(fd, GETSTRIPE, &lum), 0);
    assert_int_equal(get32(&lum, 0), V1);
    assert_int_equal(get32(&lum, 24), 2 * MiB);
    assert_int_equal(get16(&lum, 28), 4);
    assert_int_equal(get16(&lum, 30), 65535);
    assert_int_equal(fgetxattr(fd, "lustre.lov", &lum, sizeof lum), 192);
    assert_int_equal(get32(&lum, 0), COMPOSITE);
    assert_int_equal(get32(&lum, 4), 192);
}

/* Row "progressive (PFL)" */
void default_composite(void **state)
{
    int directory = make_directory("lustre/composite-default", request_composite(2 * MiB, 4));
    int plain = create_in(directory, "plain", 0), zero = create_zero(directory);

    (void) state;
    check_default(directory, COMPOSITE, 192);
    check_composite(plain);
    assert_int_equal(write(plain, "x", 1), 1);
    check_layout(zero, 0x1, 4 * MiB, 1, NULL);
    close(zero);
    close(plain);
    close(directory);
}

/* Row "none of its own, root of the mount has one": set before or after mkdir */
void default_of_the_root(void **state)
{
    int before = make_directory("lustre/before", NULL), after, own, file;
    int root = open("lustre", O_RDONLY | O_DIRECTORY);

    (void) state;
    assert_int_equal(ioctl(root, SETSTRIPE, request(V1, 0, MiB, 3, ANY)), 0);
    after = make_directory("lustre/after", NULL);
    own = make_directory("lustre/with-own", request(V1, 0, MiB, 2, ANY));
    check_default(before, V1, 32);
    check_default(after, V1, 32);
    file = create_in(before, "plain", 0);
    check_layout(file, 0x1, MiB, 3, NULL);
    close(file);
    file = create_in(root, "root-plain", 0);
    check_layout(file, 0x1, MiB, 3, NULL);
    close(file);
    file = create_in(own, "plain", 0);
    check_layout(file, 0x1, MiB, 2, NULL);
    close(file);
    file = create_zero(after);
    check_layout(file, 0x1, 4 * MiB, 1, NULL);
    close(file);
    assert_int_equal(ioctl(root, SETSTRIPE, request(V1, 0, 0, 0, ANY)), 0);
    check_no_layout(root);
    check_no_layout(before);
    close(own);
    close(after);
    close(before);
    close(root);
}

void default_is_for_plain_opens_of_late_files(void **state)
{
    int directory = make_directory("lustre/late-default", request(V1, 0, 2 * MiB, 2, ANY));
    int fd = create_in(directory, "late", DELAY_CREATE);

    (void) state;
    check_no_layout(fd);
    close(fd);
    fd = open("lustre/late-default/late", O_RDWR);
    check_layout(fd, 0x1, 2 * MiB, 2, NULL);
    close(fd);
    close(directory);
}

/* "What works": the whole of the directory's default, with its own length, on
 * every row whose test made the directory, by ioctl and as attribute. */
void default_can_be_given_to_late_files(void **state)
{
    static struct lum lum;
    static const char *const directories[] = {"lustre/plain-default", "lustre/pool-default",
                                              "lustre/composite-default"};

    (void) state;
    for (int i = 0; i < 3; i++)
        for (int attribute = 0; attribute < 2; attribute++) {
            int directory = open(directories[i], O_RDONLY | O_DIRECTORY);
            if (directory < 0)
                continue;
            int fd = create_in(directory, attribute ? "by-attribute" : "by-ioctl", DELAY_CREATE);
            ssize_t size = fgetxattr(directory, "lustre.lov", &lum, sizeof lum);

            assert_true(size > 0);
            if (attribute)
                assert_int_equal(fsetxattr(fd, "lustre.lov", &lum, (size_t) size, 0), 0);
            else
                assert_int_equal(ioctl(fd, SETSTRIPE, &lum), 0);
            if (i == 0)
                check_layout(fd, 0x1, 2 * MiB, 2, NULL);
            else if (i == 1)
                check_pool(fd, 2);
            else
                check_composite(fd);
            close(fd);
            close(directory);
        }
}

void default_is_checked_and_replaced(void **state)
{
    int directory = make_directory("lustre/replaced", request(V1, 0, 2 * MiB, 2, ANY));
    struct lum *composite = request_composite(2 * MiB, 4);
    struct lum lum = {{0}};

    (void) state;
    FAILS(ioctl(directory, SETSTRIPE, request(V1, 0, 100000, 2, ANY)), EINVAL);
    FAILS(ioctl(directory, SETSTRIPE, request(V1, 0, MiB, 2, 77)), EINVAL);
    FAILS(setxattr("lustre/replaced", "lustre.lov", composite, 191, 0), EINVAL);
    check_default(directory, V1, 32);
    assert_int_equal(setxattr("lustre/replaced", "lustre.lov", composite, 192, 0), 0);
    check_default(directory, COMPOSITE, 192);
    assert_int_equal(ioctl(directory, SETSTRIPE, request(V1, 0, MiB, 3, ANY)), 0);
    check_default(directory, V1, 32);
    assert_int_equal(ioctl(directory, GETSTRIPE, &lum), 0);
    assert_int_equal(get16(&lum, 28), 3);
    close(directory);
}

void composite_is_set_on_files(void **state)
{
    struct lum *lum = request_composite(2 * MiB, 4);
    int fd = create_delayed();

    (void) state;
    put32(lum, 4, 100000); /* longer than anything that is taken */
    FAILS(ioctl(fd, SETSTRIPE, lum), EINVAL);
    lum = request_composite(2 * MiB, 4);
    put16(lum, 14, 0);
    FAILS(ioctl(fd, SETSTRIPE, lum), EINVAL);
    lum = request_composite(2 * MiB, 4);
    put32(lum, 32 + 48 + 24, 180); /* the last component ends behind the end */
    FAILS(ioctl(fd, SETSTRIPE, lum), EINVAL);
    FAILS(ioctl(fd, SETSTRIPE, request_composite(100000, 4)), EINVAL);
    check_no_layout(fd);
    assert_int_equal(ioctl(fd, SETSTRIPE, request_composite(2 * MiB, 4)), 0);
    check_composite(fd);
    FAILS(ioctl(fd, SETSTRIPE, request_composite(2 * MiB, 4)), EEXIST);
    close(fd);
}
