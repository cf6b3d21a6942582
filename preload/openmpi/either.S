/*
 * Functions whose first argument is a file: ROMIO's for its own files, Open MPI's for others, with
 * all arguments as they are.
 */

#include "cookie.h"

#if defined(__x86_64__)
#define JUMP(name)                                                                                 \
    endbr64;                                                                                       \
    cmpl $ATP_ROMIO_FILE, (%rdi);                                                                  \
    je atp_romio_##name;                                                                           \
    jmp *(atp_theirs + 8 * index)(%rip)
#elif defined(__aarch64__)
#define JUMP(name)                                                                                 \
    hint #34; /* bti c */                                                                          \
    ldr w16, [x0];                                                                                 \
    movz w17, #(ATP_ROMIO_FILE & 0xffff);                                                          \
    movk w17, #(ATP_ROMIO_FILE >> 16), lsl #16;                                                    \
    cmp w16, w17;                                                                                  \
    b.ne .Ltheirs_##name;                                                                          \
    b atp_romio_##name;                                                                            \
    .Ltheirs_##name : adrp x16, atp_theirs + 8 * index;                                            \
    ldr x16, [x16, #:lo12:atp_theirs + 8 * index];                                                 \
    br x16
#else
#error "jumps for this processor are missing"
#endif

#define EITHER(name)                                                                               \
    .globl atp_##name;                                                                             \
    .hidden atp_##name;                                                                            \
    .type atp_##name, %function;                                                                   \
    atp_##name : JUMP(name);                                                                       \
    .size atp_##name, .- atp_##name;                                                               \
    .set index, index + 1;

    .hidden atp_theirs
    .text
    .set index, 0
#include "either.inc"

    .section .note.GNU-stack, "", %progbits
