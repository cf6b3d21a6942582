/* The two runs of a case against each other and against the image. */

#include <assert.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "random.h"

void verdict_fail(struct verdict *verdict, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(verdict->text, sizeof verdict->text, format, arguments);
    va_end(arguments);
    verdict->failed = 1;
}

/* The line of text that contains the byte at `at` */
static int line_at(const char *text, size_t at, const char **line_p)
{
    while (at > 0 && text[at - 1] != '\n')
        at--;
    *line_p = text + at;
    return strcspn(text + at, "\n");
}

void compare_outcomes(struct verdict *verdict, const struct outcome *autotune,
                      const struct outcome *plain)
{
    const char *a = autotune->text, *b = plain->text;
    const char *line_a, *line_b;
    size_t at = 0;

    if (verdict->failed)
        return;
    if (strcmp(a, b) != 0) {
        while (a[at] == b[at])
            at++;
        int length_a = line_at(a, at, &line_a), length_b = line_at(b, at, &line_b);
        verdict_fail(verdict, "autotune shows \"%.*s\", the wrapped driver \"%.*s\"", length_a,
                     line_a, length_b, line_b);
    } else if (autotune->errors || plain->errors) {
        verdict_fail(verdict, "%d errors through autotune, %d through the wrapped driver:\n%.800s",
                     autotune->errors, plain->errors, a);
    }
}

/* The first byte in which data differs from the defined bytes of the image; -1: none */
static int64_t first_difference(const struct image *image, int64_t offset,
                                const unsigned char *data, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i++)
        if (image->defined[offset + i] && image->bytes[offset + i] != data[i])
            return i;
    return -1;
}

static void compare_read_step(struct verdict *verdict, const struct test_case *c,
                              const struct layout *layout, const struct image *image,
                              const struct access *a, const unsigned char *data, const char *side)
{
    int64_t done = 0, bytes = a->count * c->etype_size;

    while (done < bytes && !verdict->failed) {
        struct segment s = layout_find(layout, a->start * c->etype_size + done);
        int64_t part = s.length < bytes - done ? s.length : bytes - done;
        int64_t at = first_difference(image, s.offset, data + done, part);
        if (at >= 0)
            verdict_fail(verdict, "%s read %02x at offset %" PRId64 ", expected %02x", side,
                         data[done + at], s.offset + at, image->bytes[s.offset + at]);
        done += part;
    }
}

void compare_read(struct verdict *verdict, const struct test_case *c, const struct layout *layouts,
                  const struct image *image, int rank, const struct outcome *outcome,
                  const char *side)
{
    int owner = read_owner(c, rank);

    for (int step = 0; step < c->steps && !verdict->failed; step++)
        compare_read_step(verdict, c, &layouts[owner], image, &c->access[step][owner],
                          outcome->read[step], side);
}

/* The whole file; to be freed.  NULL: it cannot be read. */
static unsigned char *load(const char *path, int64_t *size_p)
{
    int fd = open(path, O_RDONLY);
    struct stat st;

    if (fd < 0)
        return NULL;
    int error = fstat(fd, &st);
    assert(error == 0);
    unsigned char *bytes = malloc(st.st_size + 1);
    assert(bytes);
    for (int64_t done = 0; done < st.st_size;) {
        ssize_t part = read(fd, bytes + done, st.st_size - done);
        assert(part > 0);
        done += part;
    }
    close(fd);
    *size_p = st.st_size;
    return bytes;
}

static void compare_file(struct verdict *verdict, const struct image *image, const char *path,
                         const char *side)
{
    int64_t size;
    unsigned char *bytes = load(path, &size);

    if (bytes == NULL) {
        verdict_fail(verdict, "%s left no file", side);
        return;
    }
    int64_t at = first_difference(image, 0, bytes, size < image->size ? size : image->size);
    if (at >= 0)
        verdict_fail(verdict,
                     "the file written through %s holds %02x at offset %" PRId64 ", expected %02x",
                     side, bytes[at], at, image->bytes[at]);
    else if (size != image->size)
        verdict_fail(verdict,
                     "the file written through %s has %" PRId64 " bytes, expected %" PRId64, side,
                     size, image->size);
    free(bytes);
}

/* Every byte with a defined value is compared with the image in both files,
 * which compares the files with each other. */
void compare_files(struct verdict *verdict, const struct image *image, const char *autotune_path,
                   const char *plain_path)
{
    if (!verdict->failed)
        compare_file(verdict, image, autotune_path, "autotune");
    if (!verdict->failed)
        compare_file(verdict, image, plain_path, "the wrapped driver");
}
