/* Files of /proc/fs/lustre and /sys/fs/lustre as "lctl get_param" would print them. */

#include "passive.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ".../osc/DEVICE/KEY" as "osc.DEVICE.KEY=" */
static void print_heading(const char *path)
{
    const char *key = strrchr(path, '/'), *device = key;

    while (device > path && device[-1] != '/')
        device--;
    printf("osc.%.*s.%s=", (int) (key - device), device, key + 1);
}

static void print_file(const char *path, bool long_text)
{
    FILE *file = fopen(path, "re");
    char line[4096];

    if (file == NULL)
        return;
    print_heading(path);
    if (long_text)
        putchar('\n');
    while (fgets(line, sizeof(line), file) != NULL)
        fputs(line, stdout);
    fclose(file);
    putchar('\n');
}

/* How many there are. */
static size_t print_all(const char *root, const char *pattern, bool long_text)
{
    char whole[PATH_MAX];
    glob_t found;
    size_t count = 0;

    snprintf(whole, sizeof(whole), "%.3000s%s", root, pattern);
    if (glob(whole, 0, NULL, &found) == 0) {
        count = found.gl_pathc;
        for (size_t i = 0; i < count; i++)
            print_file(found.gl_pathv[i], long_text);
        globfree(&found);
    }
    return count;
}

void passive_print(const void *root)
{
    static const char *const values[] = {"active", "kbytesavail", "kbytestotal", "statfs_state"};
    static char *const lctl[] = {"lctl", "get_param", "osc.*.stats", NULL};

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        char pattern[64];

        snprintf(pattern, sizeof(pattern), "/sys/fs/lustre/osc/*-osc-[!M]*/%s", values[i]);
        print_all(root, pattern, false);
    }
    print_all(root, "/proc/fs/lustre/osc/*-osc-[!M]*/import", true);
    if (print_all(root, "/proc/fs/lustre/osc/*-osc-[!M]*/stats", true) > 0)
        return;
    fflush(stdout);
    execvp(lctl[0], lctl);
}
