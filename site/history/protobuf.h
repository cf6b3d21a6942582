/*
 * Protocol buffers, written by hand: fields of numbers, texts and messages within messages
 * (https://protobuf.dev/programming-guides/encoding/).
 *
 * A buffer that ran out of memory stays so; only the end needs a check.
 */

#ifndef ATH_PROTOBUF_H
#define ATH_PROTOBUF_H

#include "atm.h"

typedef struct ath_buffer {
    uint8_t *bytes; /* free them */
    size_t length, room;
    bool failed;
} ath_buffer;

void ath_put_varint(ath_buffer *buffer, int field, uint64_t number);
void ath_put_fixed64(ath_buffer *buffer, int field, uint64_t number);
void ath_put_bytes(ath_buffer *buffer, int field, const void *bytes, size_t length);
void ath_put_text(ath_buffer *buffer, int field, const char *text);
/* What the inner one has, which is empty afterwards. */
void ath_put_message(ath_buffer *buffer, int field, ath_buffer *inner);

#endif /* ATH_PROTOBUF_H */
