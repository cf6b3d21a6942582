/* What a process sends to the collector of its node: the same verdict in pieces of any size. */

#include "fuzz.h"

#include <string.h>

#include "collect/check.h"

enum { UID = 1000 };

/* What is right of it; as connections do, nothing is taken together with the head. */
static size_t take(const uint8_t *data, size_t size, size_t piece, check *c)
{
    size_t good = 0, count;

    memset(c, 0, sizeof(*c));
    for (size_t at = 0; at < size && c->status == CHECK_MORE; at += count) {
        size_t end = at < sizeof(c->head) && size > sizeof(c->head) ? sizeof(c->head) : size;
        size_t right;

        count = end - at < piece ? end - at : piece;
        right = check_take(c, UID, (const char *) data + at, count);
        require(right <= count, "more is right than was there");
        good += right;
        if (c->status == CHECK_END && at + count < size) { /* the rest is not even read */
            c->status = CHECK_WRONG;
            c->problem = "something behind the end";
        }
    }
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check whole, pieces;
    size_t good = take(data, size, size > 0 ? size : 1, &whole);
    size_t piece = size > 0 ? data[size - 1] % 31 + 1u : 1;

    require(take(data, size, piece, &pieces) == good, "pieces differ in what is right");
    require(whole.status == pieces.status && whole.taken == pieces.taken &&
                whole.whole == pieces.whole,
            "pieces have another verdict");
    require(whole.whole <= good && good <= size, "more is whole than is right");
    require((whole.status == CHECK_WRONG) == (whole.problem != NULL), "a problem without words");
    return 0;
}
