#include "machine_words.h"

const char *facts_text(const atm_machine *machine, const atm_fact *fact, units_text *room)
{
    double number;

    if (fact->kind == ATM_FACT_TEXT)
        return atm_fact_text(machine, fact);
    number = (double) atm_fact_number(machine, fact);
    if (number == 0)
        return "";
    *room = fact->kind == ATM_FACT_BYTES ? units_bytes(number) : units_number(number);
    return room->text;
}
