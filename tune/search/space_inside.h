/* What the files space*.c share. */

#ifndef ATS_SPACE_INSIDE_H
#define ATS_SPACE_INSIDE_H

#include "space.h"

bool space_has_words(const ats_parameter *parameter);
bool space_is_number(const ats_parameter *parameter);
/* Values of a parameter: -1, 0 or 1; words, pairs and shapes are only the same or not. */
int space_compare(const ats_parameter *parameter, const atm_settings *one,
                  const atm_settings *other);

#endif /* ATS_SPACE_INSIDE_H */
