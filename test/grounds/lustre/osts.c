/*
 * osts DIR: the number of OSTs of the Lustre that DIR is on.
 * osts FILE: the layout of FILE, "COUNT x SIZE".
 * osts --targets FILE: the OST of each of its stripes.
 */

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lustre/lustre_user.h>

static int count_osts(int directory)
{
    int32_t count = 0; /* in: OSTs, not MDTs */

    if (ioctl(directory, LL_IOC_GETOBDCOUNT, &count) != 0)
        return -1;
    printf("%d\n", (int) count);
    return 0;
}

static int show_layout(int file, bool targets)
{
    static union {
        struct lov_user_md lum;
        char room[sizeof(struct lov_user_md_v3) +
                  LOV_MAX_STRIPE_COUNT * sizeof(struct lov_user_ost_data)];
    } answer = {.lum = {.lmm_magic = LOV_USER_MAGIC, .lmm_stripe_count = LOV_MAX_STRIPE_COUNT}};

    if (ioctl(file, LL_IOC_LOV_GETSTRIPE, &answer) != 0)
        return -1;
    if (!targets) {
        printf("%u x %u\n", answer.lum.lmm_stripe_count, answer.lum.lmm_stripe_size);
        return 0;
    }
    for (int i = 0; i < answer.lum.lmm_stripe_count; i++)
        printf("%s%u", i > 0 ? " " : "", answer.lum.lmm_objects[i].l_ost_idx);
    printf("\n");
    return 0;
}

int main(int argc, char **argv)
{
    bool targets = argc == 3 && strcmp(argv[1], "--targets") == 0;
    const char *name = argv[argc - 1];
    struct stat info;
    int fd;

    if (argc != 2 && !targets) {
        fprintf(stderr, "usage: osts DIR|[--targets] FILE\n");
        return 2;
    }
    fd = open(name, O_RDONLY);
    if (fd < 0 || fstat(fd, &info) != 0 ||
        (S_ISDIR(info.st_mode) ? count_osts(fd) : show_layout(fd, targets)) != 0) {
        fprintf(stderr, "osts: %s: %s\n", name, strerror(errno));
        return 1;
    }
    close(fd);
    return 0;
}
