/* Documents of value/value.h with C++'s ownership and exceptions. */

#include "value.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>

namespace vesta
{

static void check(atm_status status, const atm_message &message)
{
    if (status != ATM_OK)
        throw std::runtime_error(message.text[0] != '\0' ? message.text : atm_status_text(status));
}

Value read_value(const std::string &path)
{
    atm_message message = {""};
    atm_value *root = nullptr;

    check(atm_value_read(path.c_str(), &message, &root), message);
    return Value(root);
}

/* Replaces the file atomically. */
void write_value(const atm_value *value, const std::string &path)
{
    const std::string new_path = path + ".new";
    atm_message message = {""};
    char *text = nullptr;
    size_t length = 0;

    check(atm_value_print_line(value, &text, &length), message);
    FILE *file = fopen(new_path.c_str(), "w");
    bool good = file != nullptr && fwrite(text, 1, length, file) == length;
    good = file != nullptr && fclose(file) == 0 && good;
    free(text);
    if (!good || rename(new_path.c_str(), path.c_str()) != 0) {
        remove(new_path.c_str());
        throw std::runtime_error(path + ": cannot be written");
    }
}

double number_in(const atm_value *object, const char *key)
{
    atm_message message = {""};
    double number = 0;

    check(atm_get_number(object, key, -DBL_MAX, DBL_MAX, &message, &number), message);
    return number;
}

std::vector<double> numbers_in(const atm_value *object, const char *key)
{
    atm_message message = {""};
    double *numbers = nullptr;
    size_t length = 0;

    check(atm_get_numbers(object, key, 0, SIZE_MAX, -DBL_MAX, DBL_MAX, &message, &numbers, &length),
          message);
    std::vector<double> copy(numbers, numbers + length);
    free(numbers);
    return copy;
}

const atm_value *member(const atm_value *object, const char *key)
{
    const atm_value *found = atm_value_find(object, key);

    if (found == nullptr)
        throw std::runtime_error(std::string("a part has no ") + key + "; delete it");
    return found;
}

std::string date_now()
{
    const time_t now = time(nullptr);
    char text[32];
    struct tm parts;

    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    return text;
}

} // namespace vesta
