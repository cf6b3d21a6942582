/* Writes of many ranks at once.  Requests of one node are forwarded one after the
 * other (paper, section V.C.2, "other factors"). */

#ifndef VESTA_WRITERS_HPP
#define VESTA_WRITERS_HPP

#include <map>
#include <memory>
#include <vector>

#include "network.hpp"
#include "storage.hpp"

namespace vesta
{

struct Request {
    int rank;
    uint64_t offset, bytes;
};

class Writers
{
  public:
    /* An actor for every node of these ranks. */
    Writers(const Network &network, Storage *storage, const std::vector<int> &ranks, bool locking);
    ~Writers();
    Writers(const Writers &) = delete;
    Writers &operator=(const Writers &) = delete;

    /* Ends when all are done. */
    void write(const std::vector<Request> &requests);

  private:
    struct Node {
        int number;
        simgrid::s4u::SemaphorePtr start;
        std::vector<Request> requests;
    };

    const Network &network_;
    Storage *storage_;
    bool locking_, ended_ = false;
    int left_ = 0; /* nodes that are at work */
    simgrid::s4u::SemaphorePtr done_;
    std::map<int, Node> nodes_;

    void serve(Node *node);
    void forward(int node, const Request &request);
};

} // namespace vesta

#endif /* VESTA_WRITERS_HPP */
