// MPI calls with a fake MPI library, whose own instructions run.py leaves out
// (PMPI_*). First each process is alone on its node, so clocks go by messages;
// then the other one is on the same node, so they go through shared memory.
#include "fake_mpi.h"
#include "instructions/counting.h"
#include "measure/events.h"
#include "wrappers/state.h"

namespace {

using poprt::counting::count;
using poprt::counting::toggle;

int g_value = 0;

// The calls of one event, which begins a little later than the last one.
template <class Calls>
void measure(Calls calls) {
  fake::forget_calls();
  poprt::t_fake_now_ns += 1000;
  toggle();
  calls();
  toggle();
}

int64_t now() { return poprt::t_fake_now_ns; }

void count_messages() {
  count("Send", []() {
    measure([]() { MPI_Send(&g_value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD); });
  });
  count("Recv", []() {
    fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, now());
    measure([]() {
      MPI_Recv(&g_value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
  });
  count("Recv from any source", []() {
    fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, now());
    measure([]() {
      MPI_Recv(&g_value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
  });
  count("Isend, Wait", []() {
    measure([]() {
      MPI_Request request;
      MPI_Isend(&g_value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
  });
  count("Irecv, Wait", []() {
    fake::deliver_both(MPI_COMM_WORLD, 1, 3, 1, now());
    measure([]() {
      MPI_Request request;
      MPI_Irecv(&g_value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
  });
  count("Iprobe that finds nothing", []() {
    measure([]() {
      int flag;
      MPI_Iprobe(1, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    });
  });
}

void count_collectives() {
  count("Barrier", []() {
    fake::set_others(fake::clocks(now(), 2));
    measure([]() { MPI_Barrier(MPI_COMM_WORLD); });
  });
  count("Allreduce", []() {
    fake::set_others(fake::clocks(now(), 2));
    measure([]() {
      int sum;
      MPI_Allreduce(&g_value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    });
  });
  count("Bcast", []() {
    measure([]() { MPI_Bcast(&g_value, 1, MPI_INT, 0, MPI_COMM_WORLD); });
  });
}

// Messages of the process to itself.
void count_on_node() {
  count("Send, Recv on a node", []() {
    fake::deliver_int(MPI_COMM_WORLD, 0, 3, 1);
    measure([]() {
      MPI_Send(&g_value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
      MPI_Recv(&g_value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
  });
  count("Irecv, Isend, Waitall on a node", []() {
    fake::deliver_int(MPI_COMM_WORLD, 0, 3, 1);
    measure([]() {
      MPI_Request requests[2];
      MPI_Irecv(&g_value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(&g_value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    });
  });
  count("Allreduce on a node", []() {
    measure([]() {
      int sum;
      MPI_Allreduce(&g_value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    });
  });
}

void begin() {
  MPI_Init(nullptr, nullptr);
  fake::process().region_start(*poprt::t_thread, "region1");
}

}  // namespace

int main() {
  poprt::counting::say_build();
  fake::reset(0, 2, MPI_THREAD_SINGLE);
  begin();
  count_messages();
  count_collectives();
  fake::reset(0, 2, MPI_THREAD_SINGLE);
  fake::share_node();
  begin();
  count_on_node();
}
