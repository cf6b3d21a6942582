/*
 * Checks the file-system stand-in, which must be preloaded: standin.sh runs
 *     test_standin DIRECTORY
 * with lustre, gpfs and nfs below DIRECTORY shown as these, 4 OSTs, a default
 * layout of 1 stripe of 4 MiB, and GPFS blocks of 2 MiB.
 *     test_standin --measured DIRECTORY
 * makes only those checks of Lustre that were measured and need one client and no
 * pool; with the same OSTs and default, they hold on a real one as well.
 */

#include "test_standin.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define LUSTRE_MAGIC 0x0bd00bd0
#define GPFS_MAGIC 0x47504653
#define NFS_MAGIC 0x6969

static char directory[PATH_MAX];
char program[PATH_MAX];

static long magic_of(const char *path)
{
    struct statfs buf;

    assert_int_equal(statfs(path, &buf), 0);
    return buf.f_type;
}

static void touch(const char *path)
{
    int fd = open(path, O_CREAT | O_RDWR, 0600);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, "x", 1), 1);
    close(fd);
}

static void check_magic(const char *path, long magic)
{
    struct statfs buf;
    struct statfs64 buf64;
    int fd = open(path, O_RDONLY);

    assert_true(fd >= 0);
    assert_int_equal(magic_of(path), magic);
    assert_int_equal(statfs64(path, &buf64), 0);
    assert_int_equal(buf64.f_type, magic);
    assert_int_equal(fstatfs(fd, &buf), 0);
    assert_int_equal(buf.f_type, magic);
    assert_int_equal(fstatfs64(fd, &buf64), 0);
    assert_int_equal(buf64.f_type, magic);
    close(fd);
}

static void shows_magic_numbers(void **state)
{
    (void) state;
    touch("lustre/magic");
    touch("gpfs/magic");
    touch("nfs/magic");
    check_magic("lustre", LUSTRE_MAGIC);
    check_magic("lustre/magic", LUSTRE_MAGIC);
    check_magic("gpfs", GPFS_MAGIC);
    check_magic("gpfs/magic", GPFS_MAGIC);
    check_magic("nfs", NFS_MAGIC);
    check_magic("nfs/magic", NFS_MAGIC);
}

static void check_blksize(const char *path, long blksize)
{
    struct stat st;
    struct stat64 st64;
    struct statx stx;
    int fd = open(path, O_RDONLY);

    assert_true(fd >= 0);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_blksize, blksize);
    assert_int_equal(lstat(path, &st), 0);
    assert_int_equal(st.st_blksize, blksize);
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_blksize, blksize);
    assert_int_equal(fstatat(AT_FDCWD, path, &st, 0), 0);
    assert_int_equal(st.st_blksize, blksize);
    assert_int_equal(stat64(path, &st64), 0);
    assert_int_equal(st64.st_blksize, blksize);
    assert_int_equal(fstat64(fd, &st64), 0);
    assert_int_equal(st64.st_blksize, blksize);
    assert_int_equal(statx(AT_FDCWD, path, 0, STATX_BASIC_STATS, &stx), 0);
    assert_int_equal(stx.stx_blksize, blksize);
    assert_int_equal(statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &stx), 0);
    assert_int_equal(stx.stx_blksize, blksize);
    close(fd);
}

static void shows_block_sizes(void **state)
{
    struct stat below;

    (void) state;
    touch("blksize");
    touch("lustre/blksize");
    touch("gpfs/blksize");
    touch("nfs/blksize");
    assert_int_equal(stat("blksize", &below), 0);
    check_blksize("lustre/blksize", 4 * MiB);
    check_blksize("gpfs/blksize", 2 * MiB);
    check_blksize("nfs/blksize", below.st_blksize);
    assert_true(below.st_blksize < MiB);
}

static void only_lustre_has_layouts(void **state)
{
    struct lum lum = {{0}};
    int count = 0;
    int fd = open("gpfs/layout", O_CREAT | O_RDWR | DELAY_CREATE, 0600);

    (void) state;
    assert_true(fd >= 0);
    FAILS(ioctl(fd, GETSTRIPE, &lum), ENOTTY);
    FAILS(ioctl(fd, GETOBDCOUNT, &count), ENOTTY);
    assert_int_equal(write(fd, "x", 1), 1);
    close(fd);
}

static void follows_paths_as_the_kernel_does(void **state)
{
    long outside = magic_of("/");
    char path[PATH_MAX + 32];

    (void) state;
    assert_int_equal(mkdir("lustre/sub", 0700), 0);
    assert_int_equal(mkdir("lustre-too", 0700), 0);
    assert_int_equal(symlink("lustre/sub", "into"), 0);
    assert_int_equal(symlink("../lustre-too", "lustre/out"), 0);
    snprintf(path, sizeof path, "%s/lustre/sub", directory);
    assert_int_equal(magic_of(path), LUSTRE_MAGIC);
    assert_int_equal(magic_of("lustre/sub/../../lustre"), LUSTRE_MAGIC);
    assert_int_equal(magic_of("into"), LUSTRE_MAGIC);
    assert_int_equal(magic_of("lustre/.."), magic_of("."));
    assert_int_not_equal(magic_of("lustre/.."), LUSTRE_MAGIC);
    assert_int_not_equal(magic_of("lustre-too"), LUSTRE_MAGIC);
    assert_int_not_equal(magic_of("lustre/out"), LUSTRE_MAGIC);
    assert_int_not_equal(outside, LUSTRE_MAGIC);

    assert_int_equal(chdir("lustre/sub"), 0);
    assert_int_equal(magic_of("."), LUSTRE_MAGIC);
    assert_int_not_equal(magic_of("../.."), LUSTRE_MAGIC);
    assert_int_equal(chdir(directory), 0);
}

static void follows_descriptors(void **state)
{
    struct statfs buf;
    struct stat st;
    int dir = open("gpfs", O_RDONLY | O_DIRECTORY);
    int fd = openat(dir, "descriptor", O_CREAT | O_RDWR, 0600);
    int copy = dup(fd);

    (void) state;
    assert_true(copy >= 0);
    close(fd);
    assert_int_equal(fstatfs(copy, &buf), 0);
    assert_int_equal(buf.f_type, GPFS_MAGIC);
    assert_int_equal(fstatat(dir, "descriptor", &st, 0), 0);
    assert_int_equal(st.st_blksize, 2 * MiB);
    assert_int_equal(unlink("gpfs/descriptor"), 0);
    assert_int_equal(fstat(copy, &st), 0);
    assert_int_equal(st.st_blksize, 2 * MiB);
    close(copy);
    close(dir);
}

static void leaves_errno_and_failures_alone(void **state)
{
    struct statfs buf;
    struct stat st;

    (void) state;
    FAILS(statfs("lustre/none", &buf), ENOENT);
    FAILS(stat("gpfs/none", &st), ENOENT);
    FAILS(fstat(-1, &st), EBADF);
    FAILS(write(-1, "x", 1), EBADF);
    FAILS(open("lustre/none/none", O_CREAT | O_RDWR, 0600), ENOENT);
    FAILS(open("lustre", O_CREAT | O_RDWR, 0600), EISDIR);
    errno = 0;
    touch("lustre/errno");
    touch("lustre/errno");
    assert_int_equal(magic_of("lustre/errno"), LUSTRE_MAGIC);
    assert_int_equal(stat("lustre/errno", &st), 0);
    assert_int_equal(errno, 0);
    FAILS(open("lustre/errno", O_CREAT | O_EXCL | O_RDWR, 0600), EEXIST);
}

/* The output, messages included, of this program showing the magic number of
 * PATH under another environment. */
static void show_under(const char *environment, const char *path, char *output, int size)
{
    char command[3 * PATH_MAX];
    size_t length;
    FILE *pipe;

    snprintf(command, sizeof command, "%s '%s' --magic %s 2>&1", environment, program, path);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    length = fread(output, 1, size - 1, pipe);
    output[length] = '\0';
    assert_int_equal(pclose(pipe), 0);
}

static void explains_bad_environments(void **state)
{
    static const char *const cases[][2] = {
        {"STANDIN=lustre", "standin: STANDIN=lustre: not FS:/dir[,FS:/dir...]; nothing is shown\n"},
        {"STANDIN=", "standin: STANDIN=: not FS:/dir[,FS:/dir...]; nothing is shown\n"},
        {"STANDIN=xfs:/tmp",
         "standin: STANDIN=xfs:/tmp: the file system is not lustre, gpfs or nfs; "
         "nothing is shown\n"},
        {"STANDIN=lustre:/,nfs:/no/where", "standin: STANDIN=lustre:/,nfs:/no/where: "
                                           "No such file or directory; nothing is shown\n"},
        {"STANDIN_OSTS=0",
         "standin: STANDIN_OSTS=0: not a number from 1 to 2000; nothing is shown\n"},
        {"STANDIN_LAYOUT=2",
         "standin: STANDIN_LAYOUT=2: not COUNT:SIZE, with COUNT -1 for all OSTs; "
         "nothing is shown\n"},
        {"STANDIN_LAYOUT=2:100000", "standin: STANDIN_LAYOUT=2:100000: SIZE is not a multiple of "
                                    "65536; nothing is shown\n"},
        {"STANDIN_TIME=ost", "standin: STANDIN_TIME=ost: not NAME:NUMBER[,NAME:NUMBER...]; "
                             "nothing is shown\n"},
        {"STANDIN_TIME=ost4,node:x", "standin: STANDIN_TIME=ost4,node:x: not "
                                     "NAME:NUMBER[,NAME:NUMBER...]; nothing is shown\n"},
        {"STANDIN_TIME=ost256:1", "standin: STANDIN_TIME=ost256:1: a name is not ost, ost0 to "
                                  "ost255, node, latency, lock or cache; nothing is shown\n"},
        {"STANDIN_OSTS=257 STANDIN_TIME=ost:1",
         "standin: STANDIN_TIME=ost:1: more than 256 OSTs; nothing is shown\n"},
        {"STANDIN_BLKSIZE=x", "standin: STANDIN_BLKSIZE=x: not a number from 512 to 1073741824; "
                              "nothing is shown\n"},
    };
    char output[1024], expected[1024];

    (void) state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(expected, sizeof expected, "%s%lx\n", cases[i][1], magic_of("."));
        show_under(cases[i][0], "lustre", output, sizeof output);
        assert_string_equal(output, expected);
    }
}

static void takes_trees_as_named(void **state)
{
    char environment[PATH_MAX + 64], output[1024];

    (void) state;
    assert_int_equal(symlink("gpfs", "gpfs-link"), 0);
    snprintf(environment, sizeof environment, "STANDIN=nfs:%s/gpfs-link/", directory);
    show_under(environment, "gpfs/../gpfs", output, sizeof output);
    assert_string_equal(output, "6969\n");
    show_under("STANDIN=gpfs:/", "/proc", output, sizeof output);
    assert_string_equal(output, "47504653\n");
    snprintf(environment, sizeof environment, "STANDIN=gpfs:%s/nfs,nfs:/", directory);
    show_under(environment, "nfs", output, sizeof output);
    assert_string_equal(output, "47504653\n");
    snprintf(environment, sizeof environment, "STANDIN=nfs:/,gpfs:%s/nfs", directory);
    show_under(environment, "nfs", output, sizeof output);
    assert_string_equal(output, "47504653\n");
}

static int print_magic(const char *path)
{
    struct statfs buf;

    if (statfs(path, &buf))
        return 1;
    printf("%lx\n", (long) buf.f_type);
    return 0;
}

static const struct CMUnitTest measured[] = {
    cmocka_unit_test(lustre_plain_create_gets_default_layout),
    cmocka_unit_test(lustre_delayed_create_has_no_layout),
    cmocka_unit_test(lustre_sets_two_stripes),
    cmocka_unit_test(lustre_all_osts_from_the_third),
    cmocka_unit_test(lustre_layout_is_set_once),
    cmocka_unit_test(lustre_clamps_the_count),
    cmocka_unit_test(lustre_overstripes),
    cmocka_unit_test(lustre_zero_means_default),
    cmocka_unit_test(lustre_copies_no_more_than_there_is_room_for),
    cmocka_unit_test(lustre_layout_as_attribute),
    cmocka_unit_test(late_plain_open_brings_the_default),
    cmocka_unit_test(late_plain_open_beside_a_writer_does_not),
    cmocka_unit_test(late_readers_and_delayed_opens_never_do),
    cmocka_unit_test(late_holder_may_be_any_process),
    cmocka_unit_test(late_empty_file_can_be_read),
    cmocka_unit_test(late_layout_reaches_other_processes),
    cmocka_unit_test(late_unlinked_file_stays_without_a_layout),
    cmocka_unit_test(default_is_none_at_first),
    cmocka_unit_test(default_plain),
    cmocka_unit_test(default_composite),
    cmocka_unit_test(default_is_for_plain_opens_of_late_files),
    cmocka_unit_test(default_can_be_given_to_late_files),
};

static int check_measured(const char *path)
{
    if (chdir(path) || mkdir("lustre", 0700)) {
        fprintf(stderr, "test_standin: %s: %s\n", path, strerror(errno));
        return 99;
    }
    return cmocka_run_group_tests_name("lustre", measured, NULL, NULL);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_magic_numbers),
        cmocka_unit_test(shows_block_sizes),
        cmocka_unit_test(only_lustre_has_layouts),
        cmocka_unit_test(follows_paths_as_the_kernel_does),
        cmocka_unit_test(follows_descriptors),
        cmocka_unit_test(leaves_errno_and_failures_alone),
        cmocka_unit_test(explains_bad_environments),
        cmocka_unit_test(takes_trees_as_named),
        cmocka_unit_test(lustre_header_has_the_kernels_numbers),
        cmocka_unit_test(lustre_counts_osts_on_directories),
        cmocka_unit_test(lustre_plain_create_gets_default_layout),
        cmocka_unit_test(lustre_delayed_create_has_no_layout),
        cmocka_unit_test(lustre_sets_two_stripes),
        cmocka_unit_test(lustre_all_osts_from_the_third),
        cmocka_unit_test(lustre_layout_is_set_once),
        cmocka_unit_test(lustre_refuses_bad_requests),
        cmocka_unit_test(lustre_clamps_the_count),
        cmocka_unit_test(lustre_overstripes),
        cmocka_unit_test(lustre_negative_count_is_stripes_per_ost),
        cmocka_unit_test(lustre_takes_listed_osts),
        cmocka_unit_test(lustre_zero_means_default),
        cmocka_unit_test(lustre_pool_is_reported_as_v3),
        cmocka_unit_test(lustre_keeps_two_thousand_stripes),
        cmocka_unit_test(lustre_spreads_files),
        cmocka_unit_test(lustre_copies_no_more_than_there_is_room_for),
        cmocka_unit_test(lustre_layout_as_attribute),
        cmocka_unit_test(lustre_reports_ost_state),
        cmocka_unit_test(late_write_before_layout_is_refused),
        cmocka_unit_test(late_plain_open_brings_the_default),
        cmocka_unit_test(late_plain_open_beside_a_writer_does_not),
        cmocka_unit_test(late_plain_open_of_another_client_does),
        cmocka_unit_test(late_open_of_every_process_its_own_client_does),
        cmocka_unit_test(late_readers_and_delayed_opens_never_do),
        cmocka_unit_test(late_holder_may_be_any_process),
        cmocka_unit_test(late_plain_opens_of_many_are_one),
        cmocka_unit_test(late_empty_file_can_be_read),
        cmocka_unit_test(late_layout_reaches_other_processes),
        cmocka_unit_test(late_layout_reaches_other_clients_late),
        cmocka_unit_test(late_layouts_of_many_are_one),
        cmocka_unit_test(late_truncate_brings_no_layout),
        cmocka_unit_test(late_unlinked_file_stays_without_a_layout),
        cmocka_unit_test(late_unseen_write_brings_the_default),
        cmocka_unit_test(late_unseen_create_has_the_default),
        cmocka_unit_test(late_inherited_descriptor_is_known),
        cmocka_unit_test(late_reused_descriptor_is_looked_at),
        cmocka_unit_test(default_is_none_at_first),
        cmocka_unit_test(default_plain),
        cmocka_unit_test(default_pool),
        cmocka_unit_test(default_composite),
        cmocka_unit_test(default_of_the_root),
        cmocka_unit_test(default_is_for_plain_opens_of_late_files),
        cmocka_unit_test(default_can_be_given_to_late_files),
        cmocka_unit_test(default_is_checked_and_replaced),
        cmocka_unit_test(composite_is_set_on_files),
    };

    if (argc == 3 && strcmp(argv[1], "--magic") == 0)
        return print_magic(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--measured") == 0)
        return check_measured(argv[2]);
    if (argc >= 3 && is_for_client(argv[1]))
        return act_as_client(argc - 1, argv + 1);
    if (argc != 2 || chdir(argv[1]) || !getcwd(directory, sizeof directory) ||
        readlink("/proc/self/exe", program, sizeof program - 1) < 0) {
        fprintf(stderr, "usage: test_standin DIRECTORY\n");
        return 99;
    }
    return cmocka_run_group_tests_name("standin", tests, NULL, NULL);
}
