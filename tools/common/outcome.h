/*
 * Outcome: what a record (files/record.h) says came out of each decision.
 *
 * A decision is in effect for the collective calls from its own on until the
 * next decision; it predicts those of its direction.  They are compared with the
 * calls on the record's timeline.  Communication is what remains of a call of
 * the slowest rank without its accesses to the file.
 */

#ifndef OUTCOME_H
#define OUTCOME_H

#include "files/record.h"

/* Predicted and measured seconds of one call. */
typedef struct outcome_parts {
    double seconds, communication, storage;
} outcome_parts;

/* A decision and the calls of one direction while it was in effect. */
typedef struct outcome {
    const atm_record_decision *decision; /* NULL: none was recorded */
    bool write;
    bool has_prediction;     /* predicted has numbers */
    outcome_parts predicted; /* with factors of self-correction */
    uint64_t calls;          /* on the timeline; the following only if any */
    outcome_parts measured;  /* mean of them */
    double bytes, accesses;  /* of a call, mean */
    double first_at;         /* seconds since open of the first one */
} outcome;

enum { OUTCOMES = 2 * (ATM_RECORD_DECISIONS + 1) };

/* In the order of decisions: its own direction, then the other one if there were
 * such calls.  Returns how many; they end with the record. */
int outcomes_of(const atm_record *record, outcome outcomes_p[OUTCOMES]);

/* What a decision predicts for a call; false, and nothing set, where it does not. */
bool outcome_predicted(const atm_record_decision *decision, outcome_parts *parts_p);
double outcome_communication(const atm_record_call *call);

/* The decision that was in effect for a call, as an index; -1: none. */
int outcome_decision(const atm_record *record, const atm_record_call *call);

/* {"record": ..., "outcomes": [...]} as an element of array. */
atm_status outcome_put(atm_value *array, const atm_record *record);

enum { OUTCOME_WHAT = 96 };
/* "2 x 16 MiB": aggregators and buffer, and striping on Lustre. */
void outcome_what(const atm_record *record, const outcome *outcome, char text_p[OUTCOME_WHAT]);

typedef struct outcome_text {
    char text[32];
} outcome_text;

/* When the file was opened, in UTC. */
outcome_text outcome_time(const atm_record *record);

#endif /* OUTCOME_H */
