/* Protocol buffers: fields. */

#include "protobuf.h"

#include <stdlib.h>
#include <string.h>

/* Wire types */
enum { VARINT = 0, FIXED64 = 1, LENGTH = 2 };
enum { VARINT_BYTES = 10 };

static uint8_t *reserve(ath_buffer *buffer, size_t more)
{
    if (buffer->failed)
        return NULL;
    if (buffer->length + more > buffer->room) {
        size_t room = 2 * (buffer->length + more) + 64;
        uint8_t *bytes = realloc(buffer->bytes, room);

        if (bytes == NULL) {
            buffer->failed = true;
            return NULL;
        }
        buffer->bytes = bytes;
        buffer->room = room;
    }
    return buffer->bytes + buffer->length;
}

/* Seven bits a byte, the lowest first; all but the last have the eighth. */
static void add_varint(ath_buffer *buffer, uint64_t number)
{
    uint8_t *at = reserve(buffer, VARINT_BYTES), *from = at;

    if (at == NULL)
        return;
    for (; number >= 0x80; number >>= 7)
        *at++ = (uint8_t) (number | 0x80);
    *at++ = (uint8_t) number;
    buffer->length += (size_t) (at - from);
}

static void add_key(ath_buffer *buffer, int field, int type)
{
    add_varint(buffer, (uint64_t) field << 3 | (uint64_t) type);
}

void ath_put_varint(ath_buffer *buffer, int field, uint64_t number)
{
    add_key(buffer, field, VARINT);
    add_varint(buffer, number);
}

void ath_put_fixed64(ath_buffer *buffer, int field, uint64_t number)
{
    uint8_t *at;

    add_key(buffer, field, FIXED64);
    at = reserve(buffer, 8);
    for (int i = 0; at != NULL && i < 8; i++)
        at[i] = (uint8_t) (number >> (8 * i));
    buffer->length += at != NULL ? 8 : 0;
}

void ath_put_bytes(ath_buffer *buffer, int field, const void *bytes, size_t length)
{
    uint8_t *at;

    add_key(buffer, field, LENGTH);
    add_varint(buffer, length);
    at = reserve(buffer, length);
    if (at == NULL || length == 0)
        return;
    memcpy(at, bytes, length);
    buffer->length += length;
}

void ath_put_text(ath_buffer *buffer, int field, const char *text)
{
    ath_put_bytes(buffer, field, text, strlen(text));
}

void ath_put_message(ath_buffer *buffer, int field, ath_buffer *inner)
{
    buffer->failed = buffer->failed || inner->failed;
    ath_put_bytes(buffer, field, inner->bytes, inner->length);
    inner->length = 0;
}
