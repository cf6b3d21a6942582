/* What the file must hold after the writes of a case, computed in memory. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum {
    PURPOSE_PREFILL = 3000,
    PURPOSE_DATA = 4000,
};

static void fill(struct rng rng, unsigned char *data, int64_t bytes)
{
    while (bytes > 0) {
        uint64_t word = rng_next(&rng);
        size_t part = bytes < 8 ? bytes : 8;
        memcpy(data, &word, part);
        data += part;
        bytes -= part;
    }
}

void data_fill(const struct test_case *c, int rank, int step, unsigned char *data, int64_t bytes)
{
    fill(rng_start(c->seed, c->number, PURPOSE_DATA + MAX_STEPS * rank + step), data, bytes);
}

void prefill_fill(const struct test_case *c, unsigned char *data, int64_t bytes)
{
    fill(rng_start(c->seed, c->number, PURPOSE_PREFILL), data, bytes);
}

/* As ftruncate() does: new bytes are zero, bytes cut off are forgotten. */
static void image_resize(struct image *image, int64_t size)
{
    int64_t old = image->size;

    if (size > old) {
        memset(image->bytes + old, 0, size - old);
        memset(image->defined + old, 1, size - old);
    } else {
        memset(image->defined + size, 0, old - size);
    }
    image->size = size;
}

static void image_write(struct image *image, const struct layout *layout, int64_t position,
                        const unsigned char *data, int64_t bytes)
{
    while (bytes > 0) {
        struct segment s = layout_find(layout, position);
        int64_t part = s.length < bytes ? s.length : bytes;
        memcpy(image->bytes + s.offset, data, part);
        memset(image->defined + s.offset, 1, part);
        if (s.offset + part > image->size)
            image->size = s.offset + part;
        position += part;
        data += part;
        bytes -= part;
    }
}

static void image_access(struct image *image, const struct test_case *c,
                         const struct layout *layout, int rank, int step)
{
    struct access a = c->access[step][rank];
    int64_t bytes = a.count * c->etype_size;
    unsigned char *data = malloc(bytes + 1);

    assert(data);
    data_fill(c, rank, step, data, bytes);
    image_write(image, layout, a.start * c->etype_size, data, bytes);
    free(data);
}

static int64_t largest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void image_make(struct image *image, const struct test_case *c, const struct layout *layouts)
{
    int64_t capacity = layout_file_end(c, layouts);

    capacity = largest(capacity, c->prefill == NO_PREFILL ? 0 : c->prefill_bytes);
    capacity = largest(capacity, largest(c->set_size, c->preallocate));
    /* A byte in a gap behind the old end of file may hold anything: ROMIO's
     * data sieving writes there what its buffer happens to hold. */
    *image = (struct image){
        .capacity = capacity,
        .bytes = calloc(1, capacity + 1),
        .defined = calloc(1, capacity + 1),
    };
    assert(image->bytes && image->defined);

    if (c->prefill != NO_PREFILL) {
        image_resize(image, c->prefill_bytes);
        prefill_fill(c, image->bytes, c->prefill_bytes);
    }
    if (c->set_size)
        image_resize(image, c->set_size);
    if (c->preallocate > image->size)
        image_resize(image, c->preallocate);
    for (int step = 0; step < c->steps; step++)
        for (int rank = 0; rank < c->ranks; rank++)
            image_access(image, c, &layouts[rank], rank, step);
}

void image_free(struct image *image)
{
    free(image->bytes);
    free(image->defined);
}
