// Requests that are completed, in all the ways that MPI has, cancelled or
// freed.
#include <algorithm>

#include "interpreter.h"

namespace chaos {
namespace {

enum Method {
  kWaitall,
  kWaitany,
  kWaitsome,
  kTestall,
  kTestany,
  kTestsome,
  kWaitEach,
  kTestEach,
  kPeekEach,
  // These complete some, or one, or none.
  kWaitanyOnce,
  kWaitsomeOnce,
  kTestanyOnce,
  kTestsomeOnce,
};

void op_finish(Arguments a) {
  const int method = a.next();
  const bool ignore = a.next() != 0;
  const Ints ids = a.list();
  const int n = static_cast<int>(ids.size());
  std::vector<MPI_Request> requests;
  for (const int id : ids) requests.push_back(g_slots[id].request);
  std::vector<MPI_Status> statuses(ids.size());
  Ints indices(ids.size());
  MPI_Status* const all = ignore ? MPI_STATUSES_IGNORE : statuses.data();
  MPI_Status* const one = ignore ? MPI_STATUS_IGNORE : statuses.data();
  const auto at = [&](int i) { return ids[static_cast<size_t>(i)]; };
  const auto done = [&](int i, int s) {
    completed(at(i), ignore ? nullptr : &statuses[static_cast<size_t>(s)]);
  };
  const auto some_active = [&] {
    return std::any_of(ids.begin(), ids.end(),
                       [](int id) { return g_slots[id].active; });
  };
  switch (method) {
    case kWaitall:
      timed([&] { MPI_Waitall(n, requests.data(), all); });
      for (int i = 0; i < n; ++i) done(i, i);
      break;
    case kTestall:
      for (int flag = 0; flag == 0;) {
        timed([&] { MPI_Testall(n, requests.data(), &flag, all); });
        if (flag == 0) breathe();
      }
      for (int i = 0; i < n; ++i) done(i, i);
      break;
    case kWaitany:
    case kWaitanyOnce:
      while (some_active()) {
        int index = MPI_UNDEFINED;
        timed([&] { MPI_Waitany(n, requests.data(), &index, one); });
        expect(index != MPI_UNDEFINED, "index of Waitany");
        if (index == MPI_UNDEFINED) break;
        done(index, 0);
        if (method == kWaitanyOnce) break;
      }
      break;
    case kTestany:
    case kTestanyOnce:
      while (some_active()) {
        int index = MPI_UNDEFINED;
        int flag = 0;
        timed([&] { MPI_Testany(n, requests.data(), &index, &flag, one); });
        if (flag != 0 && index != MPI_UNDEFINED) done(index, 0);
        if (method == kTestanyOnce) break;
        if (flag == 0) breathe();
      }
      break;
    case kWaitsome:
    case kTestsome:
    case kWaitsomeOnce:
    case kTestsomeOnce: {
      const bool wait = method == kWaitsome || method == kWaitsomeOnce;
      while (some_active()) {
        int count = 0;
        timed([&] {
          (wait ? MPI_Waitsome : MPI_Testsome)(n, requests.data(), &count,
                                               indices.data(), all);
        });
        expect(count != MPI_UNDEFINED, "count of Waitsome");
        for (int s = 0; s < count; ++s)
          done(indices[static_cast<size_t>(s)], s);
        if (method == kWaitsomeOnce || method == kTestsomeOnce) break;
        if (count <= 0) breathe();
      }
      break;
    }
    default:
      for (int i = 0; i < n; ++i) {
        MPI_Request* const request = &requests[static_cast<size_t>(i)];
        if (!g_slots[at(i)].active) continue;
        if (method == kTestEach) {
          for (int flag = 0; flag == 0;) {
            timed([&] { MPI_Test(request, &flag, one); });
            if (flag == 0) breathe();
          }
          done(i, 0);
          continue;
        }
        if (method == kPeekEach) {
          for (int flag = 0; flag == 0;) {
            timed([&] { MPI_Request_get_status(*request, &flag, one); });
            if (flag == 0) breathe();
          }
          // The edge belongs to this call, which completes nothing: the request
          // stays.
          done(i, 0);
        }
        timed([&] { MPI_Wait(request, one); });
        done(i, 0);
      }
  }
  for (int i = 0; i < n; ++i) {
    Slot& slot = g_slots[at(i)];
    slot.request = requests[static_cast<size_t>(i)];
    expect(
        (slot.request != MPI_REQUEST_NULL) == (slot.active || slot.persistent),
        "request after a completion");
  }
}

void op_cancel(Arguments a) {
  Slot& slot = g_slots[a.next()];
  slot.cancelled = true;
  timed([&] { MPI_Cancel(&slot.request); });
}

void op_free(Arguments a) {
  Slot& slot = g_slots[a.next()];
  if (slot.request == MPI_REQUEST_NULL) return;
  timed([&] { MPI_Request_free(&slot.request); });
  if (slot.active && slot.data) g_abandoned.push_back(std::move(slot.data));
  slot.active = false;
}

}  // namespace

void add_completion(Functions* all) {
  all->insert({
      {"finish", op_finish},
      {"cancel", op_cancel},
      {"free", op_free},
  });
}

}  // namespace chaos
