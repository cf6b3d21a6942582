/* Tasks in processes of their own, each of which leaves a file behind; those whose
 * file is there already are not run again. */

#ifndef VESTA_POOL_HPP
#define VESTA_POOL_HPP

#include <functional>
#include <string>
#include <vector>

#include "value.hpp"

namespace vesta
{

struct Task {
    std::string name; /* of its file, in DIR/parts */
    double weight;    /* how long it takes, against others */
    std::function<Value()> run;
};

/* The results in the order of the tasks; throws messages for the user. */
std::vector<Value> run_tasks(const std::string &title, const std::vector<Task> &tasks,
                             const std::string &directory, int jobs);

} // namespace vesta

#endif /* VESTA_POOL_HPP */
