/* Documents of value/value.h with C++'s ownership and exceptions. */

#ifndef VESTA_VALUE_HPP
#define VESTA_VALUE_HPP

#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "value/value.h"
}

namespace vesta
{

struct DestroyValue {
    void operator()(atm_value *value) const
    {
        atm_value_destroy(value);
    }
};
using Value = std::unique_ptr<atm_value, DestroyValue>;

Value read_value(const std::string &path);
/* On one line: these files are data. */
void write_value(const atm_value *value, const std::string &path);

double number_in(const atm_value *object, const char *key);
std::vector<double> numbers_in(const atm_value *object, const char *key);
const atm_value *member(const atm_value *object, const char *key);

/* The present time as written in files. */
std::string date_now();

} // namespace vesta

#endif /* VESTA_VALUE_HPP */
