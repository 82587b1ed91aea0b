#include "wrappers/requests/posted_receives.h"

#include "wrappers/requests/requests.h"
#include "wrappers/state.h"

namespace poprt::mpi {
namespace {

bool is_wildcard(const Receive& receive) {
  return receive.source == MPI_ANY_SOURCE || receive.tag == MPI_ANY_TAG;
}

bool may_match(const Receive& receive, int source, int tag) {
  return (receive.source == source || receive.source == MPI_ANY_SOURCE) &&
         (receive.tag == tag || receive.tag == MPI_ANY_TAG);
}

}  // namespace

void add_posted(CommInfo& comm, Receive* receive) {
  if (job().multiple) return;
  receive->posted = true;
  if (is_wildcard(*receive)) ++job().requests.posted_wildcards;
  receive->newer = nullptr;
  receive->older = comm.posted.newest;
  (comm.posted.newest != nullptr ? comm.posted.newest->newer
                                 : comm.posted.oldest) = receive;
  comm.posted.newest = receive;
}

void replace_posted(CommInfo& comm, Receive* receive, Receive* by) {
  by->posted = true;
  by->older = receive->older;
  by->newer = receive->newer;
  (by->older != nullptr ? by->older->newer : comm.posted.oldest) = by;
  (by->newer != nullptr ? by->newer->older : comm.posted.newest) = by;
  receive->posted = false;
}

void remove_posted(CommInfo& comm, Receive* receive) {
  if (!receive->posted) return;
  receive->posted = false;
  if (is_wildcard(*receive)) --job().requests.posted_wildcards;
  (receive->older != nullptr ? receive->older->newer : comm.posted.oldest) =
      receive->newer;
  (receive->newer != nullptr ? receive->newer->older : comm.posted.newest) =
      receive->older;
}

int count_older(const CommInfo& comm, const Receive* receive, int source,
                int tag) {
  constexpr int kMostLooks = 64;
  int count = 0;
  int looks = 0;
  for (Receive* other = comm.posted.oldest;
       other != nullptr && other != receive; other = other->newer) {
    if (++looks > kMostLooks) break;
    if (!may_match(*other, source, tag)) continue;
    if (other->finished) {
      if (other->finished_source == source && other->finished_tag == tag) {
        ++count;
      }
      continue;
    }
    if (other->source == source && other->tag == tag && !other->cancelled) {
      ++count;
      continue;
    }
    // A wildcard may have matched another stream, or nothing yet; a cancelled
    // receive may never match.
    int flag = 0;
    int cancelled = 0;
    MPI_Status status;
    if (pmpi().Request_get_status(other->request, &flag, &status) !=
            MPI_SUCCESS ||
        flag == 0) {
      continue;
    }
    if (other->cancelled) pmpi().Test_cancelled(&status, &cancelled);
    if (cancelled == 0 && status.MPI_SOURCE == source &&
        status.MPI_TAG == tag) {
      ++count;
    }
  }
  return count;
}

}  // namespace poprt::mpi
