/* Tasks in processes of their own. */

#include "pool.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <numeric>
#include <stdexcept>

namespace vesta
{

static void make_directory(const std::string &path)
{
    if (mkdir(path.c_str(), 0777) != 0 && errno != EEXIST)
        throw std::runtime_error(path + ": " + strerror(errno));
}

static bool exists(const std::string &path)
{
    return access(path.c_str(), F_OK) == 0;
}

/* Asked to end: what runs is finished, nothing is started. */
static volatile sig_atomic_t asked_to_end;

static void ask_to_end(int)
{
    asked_to_end = 1;
}

/* A line on stderr: drawn again on a terminal, else one for each task. */
class Progress
{
  public:
    Progress(std::string title, size_t tasks, double weight)
        : title_(std::move(title)), tasks_(tasks), left_(weight), start_(time(nullptr))
    {
    }

    void skip(double weight)
    {
        done_++;
        left_ -= weight;
    }

    void count(double weight)
    {
        skip(weight);
        worked_ += weight;
        double passed = difftime(time(nullptr), start_);

        fprintf(stderr, "%s%s: %zu of %zu done, about %.0f s left%s",
                isatty(STDERR_FILENO) ? "\r" : "", title_.c_str(), done_, tasks_,
                passed * left_ / worked_, isatty(STDERR_FILENO) && done_ < tasks_ ? "  " : "\n");
    }

  private:
    const std::string title_;
    const size_t tasks_;
    size_t done_ = 0;
    double left_, worked_ = 0;
    const time_t start_;
};

[[noreturn]] static void run_child(const Task &task, const std::string &path)
{
    int code = 0;

    signal(SIGTERM, SIG_DFL);
    try {
        const Value value = task.run();
        write_value(value.get(), path);
    } catch (const std::exception &error) {
        fprintf(stderr, "vesta: %s: %s\n", task.name.c_str(), error.what());
        code = 1;
    }
    fflush(nullptr);
    _exit(code); /* without SimGrid's own end, which takes as long as its start */
}

class Pool
{
  public:
    Pool(const std::vector<Task> &tasks, std::string directory)
        : tasks_(tasks), directory_(std::move(directory))
    {
    }
    /* Only after a failure are there any left. */
    ~Pool()
    {
        for (const auto &[process, task] : running_) {
            kill(process, SIGTERM);
            waitpid(process, nullptr, 0);
        }
    }

    std::string path(size_t task) const
    {
        return directory_ + "/" + tasks_[task].name + ".json";
    }
    void start(size_t task)
    {
        pid_t process = fork();

        if (process < 0)
            throw std::runtime_error(std::string("fork: ") + strerror(errno));
        if (process == 0)
            run_child(tasks_[task], path(task));
        running_[process] = task;
    }
    /* The task that ended. */
    size_t wait()
    {
        int status;
        pid_t process;

        do
            process = ::wait(&status);
        while (running_.count(process) == 0 && (process > 0 || errno == EINTR));
        size_t task = running_.at(process);
        running_.erase(process);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            throw std::runtime_error(tasks_[task].name + " failed");
        return task;
    }
    size_t running() const
    {
        return running_.size();
    }

  private:
    const std::vector<Task> &tasks_;
    const std::string directory_;
    std::map<pid_t, size_t> running_;
};

std::vector<Value> run_tasks(const std::string &title, const std::vector<Task> &tasks,
                             const std::string &directory, int jobs)
{
    std::vector<size_t> order(tasks.size());
    std::vector<Value> results;
    double weight = 0;

    make_directory(directory);
    make_directory(directory + "/parts");
    Pool pool(tasks, directory + "/parts");
    std::iota(order.begin(), order.end(), 0);
    /* the longest first, so that none is left at the end */
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return tasks[a].weight > tasks[b].weight; });
    for (const Task &task : tasks)
        weight += task.weight;
    Progress progress(title, tasks.size(), weight);
    fflush(nullptr);
    signal(SIGTERM, ask_to_end);
    for (size_t task : order)
        if (exists(pool.path(task)))
            progress.skip(tasks[task].weight);
    for (size_t task : order) {
        if (exists(pool.path(task)))
            continue;
        if (pool.running() == static_cast<size_t>(jobs))
            progress.count(tasks[pool.wait()].weight);
        if (asked_to_end)
            break;
        pool.start(task);
    }
    while (pool.running() > 0)
        progress.count(tasks[pool.wait()].weight);
    if (asked_to_end)
        throw std::runtime_error("ended; run the same command to continue");
    for (size_t task = 0; task < tasks.size(); task++)
        results.push_back(read_value(pool.path(task)));
    return results;
}

} // namespace vesta
