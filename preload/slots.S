/*
 * The functions of MPI that a program calls: each jumps to where its slot says, with all
 * arguments as they are.  host.c fills the slots.
 */

#if defined(__x86_64__)
#define JUMP(slot)                                                                                 \
    endbr64;                                                                                       \
    jmp *slot(%rip)
#elif defined(__aarch64__)
#define JUMP(slot)                                                                                 \
    hint #34; /* bti c */                                                                          \
    adrp x16, slot;                                                                                \
    ldr x16, [x16, #:lo12:slot];                                                                   \
    br x16
#else
#error "jumps for this processor are missing"
#endif

#define SLOT(name)                                                                                 \
    .globl name;                                                                                   \
    .type name, %function;                                                                         \
    name : JUMP(atp_slots + 8 * index);                                                            \
    .size name, .- name;                                                                           \
    .set index, index + 1;

    .hidden atp_slots
    .text
    .set index, 0
#include "slots.inc"

    .section .note.GNU-stack, "", %progbits
