#include "ad_autotune_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* length of the prefix without its colon, 0 if there is none */
static size_t prefix_length(const char *name)
{
    size_t len = strcspn(name, ":/");

    return name[len] == ':' && len > 1 ? len : 0;
}

const char *ADIOI_AUTOTUNE_split_name(const char *name, const char **prefix_p, size_t *length_p)
{
    static const char self[] = "autotune";
    size_t len;

    while ((len = prefix_length(name)) == strlen(self) && strncasecmp(name, self, len) == 0)
        name += len + 1;
    *prefix_p = name;
    *length_p = len;
    return len > 0 ? name + len + 1 : name;
}

/* Write the first len bytes of text; 0 or -1 as the callers return. */
static int copy(const char *text, size_t len, char *result, size_t size)
{
    if (len >= size)
        return -1;
    memcpy(result, text, len);
    result[len] = '\0';
    return 0;
}

int ADIOI_AUTOTUNE_directory(const char *path, char *directory, size_t size)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        return copy(".", 1, directory, size);
    /* the root's slash is its name */
    return copy(path, slash == path ? 1 : (size_t) (slash - path), directory, size);
}

int ADIOI_AUTOTUNE_link_target(const char *path, const char *target, char *result, size_t size)
{
    const char *slash = strrchr(path, '/');
    int len;

    if (target[0] == '/' || slash == NULL)
        return copy(target, strlen(target), result, size);
    len = snprintf(result, size, "%.*s/%s", (int) (slash - path), path, target);
    return len >= 0 && (size_t) len < size ? 0 : -1;
}

int ADIOI_AUTOTUNE_all_files;

int ADIOI_AUTOTUNE_takes_all(void)
{
    const char *forced = secure_getenv("ROMIO_FSTYPE_FORCE");

    return forced != NULL ? strcasecmp(forced, "autotune:") == 0 : ADIOI_AUTOTUNE_all_files;
}

static const char *const mode_names[] = {
    [ADIOI_AUTOTUNE_AUTOMATIC] = "automatic",
    [ADIOI_AUTOTUNE_ENABLE] = "enable",
    [ADIOI_AUTOTUNE_DISABLE] = "disable",
};

/* Values that switches in the environment usually have. */
static const struct {
    const char *value;
    ADIOI_AUTOTUNE_mode mode;
} switches[] = {
    {"on", ADIOI_AUTOTUNE_AUTOMATIC},   {"yes", ADIOI_AUTOTUNE_AUTOMATIC},
    {"true", ADIOI_AUTOTUNE_AUTOMATIC}, {"1", ADIOI_AUTOTUNE_AUTOMATIC},
    {"off", ADIOI_AUTOTUNE_DISABLE},    {"no", ADIOI_AUTOTUNE_DISABLE},
    {"false", ADIOI_AUTOTUNE_DISABLE},  {"0", ADIOI_AUTOTUNE_DISABLE},
};

int ADIOI_AUTOTUNE_parse_mode(const char *value, ADIOI_AUTOTUNE_mode *mode_p)
{
    for (size_t i = 0; i < sizeof(mode_names) / sizeof(mode_names[0]); i++) {
        if (strcasecmp(value, mode_names[i]) == 0) {
            *mode_p = (ADIOI_AUTOTUNE_mode) i;
            return 0;
        }
    }
    for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
        if (strcasecmp(value, switches[i].value) == 0) {
            *mode_p = switches[i].mode;
            return 0;
        }
    }
    return -1;
}

const char *ADIOI_AUTOTUNE_mode_name(ADIOI_AUTOTUNE_mode mode)
{
    return mode_names[mode];
}
