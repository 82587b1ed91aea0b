// An MPI library for tests of the wrappers: one process of a job. The test
// plays the other processes.
//
// PMPI functions note each call, and keep messages, requests and communicators
// in simple tables.  Nothing ever waits: a call that would is a failure of the
// test.  A PMPI_Test that finds nothing takes a millisecond of the fake time.
#ifndef POPRT_TESTS_FAKE_MPI_H_
#define POPRT_TESTS_FAKE_MPI_H_

#include <mpi.h>

#include <csetjmp>
#include <cstdint>
#include <string>
#include <vector>

#include "clocks/clock_message.h"
#include "layer/fake_time.h"
#include "measure/process.h"

namespace poprt {
class Transport;
}  // namespace poprt

namespace fake {

struct Call {
  std::string name;  // without PMPI_
  MPI_Comm comm;
  int peer;
  int tag;
  const void* buffer;
};

// All calls since the last forget_calls(), except for pure queries.
std::vector<std::string> names();
const std::vector<Call>& calls();
void forget_calls();
// What each PMPI_Send sent, in order.
const std::vector<std::string>& sent();

// A new library, MPI_Init not called yet; the measured process is new too.
void reset(int rank, int size, int thread_level);
poprt::Process& process();
// The transport that the wrappers have handed to the library's lifecycle.
poprt::Transport& transport();
int& time_ms();  // fake time spent in tests that found nothing

// The tool's communicator beside one of the program's.
MPI_Comm shadow_of(MPI_Comm comm);
bool has_shadow(MPI_Comm comm);
bool is_freed(MPI_Comm comm);
// The handle of a freed communicator is that of another one from now on.
void give_again(MPI_Comm comm);
MPI_Comm new_intercomm();
MPI_Comm new_unknown_comm();
// A group of these ranks of the world.
MPI_Group new_group(const std::vector<int>& ranks);

// A message of another process arrives.
void deliver(MPI_Comm comm, int source, int tag, const void* bytes,
             size_t size);
void deliver_int(MPI_Comm comm, int source, int tag, int value);
// The clocks of a message: the regions named, each with the same value.
poprt::ClockMessage clocks(int64_t ns, int regions = 1);
void deliver_clocks(MPI_Comm comm, int source, int tag, int64_t ns,
                    int regions = 1);
// A message and its clocks, as a process with the library sends them.
void deliver_both(MPI_Comm comm, int source, int tag, int value, int64_t ns);
size_t unread(MPI_Comm comm);

// What the other processes contribute to collectives on shadows.
void set_others(const poprt::ClockMessage& message);
// Shadow collectives and sends complete only when this is false again.
void hold_collectives(bool hold);
void hold_sends(bool hold);
void hold_new_sends(bool hold);  // sends that are already held stay held

// Another process has no room for the next shadow. With `carrier_too` it does
// not have the common communicator either on which shadows can be shared.
void refuse_next_shadow(bool carrier_too = false);
// The ranks, among all processes, of the next communicator that shares a
// shadow.
void place_next_comm(const std::vector<int>& ranks);

// To be called before MPI_Init: the other processes are on this node, too. Each
// of them is this process as seen from outside: what it sends to itself arrives
// from itself, and its board is that of all.
void share_node();

// The next call of this name returns this code.
void fail(const std::string& name, int code);
// The next call of this name takes so long.
void take_time(const std::string& name, int64_t ns);
// The next call of this name is left by a long jump, as from a signal handler.
void leave(const std::string& name, std::jmp_buf* to);
// Waitall and the like: code of single requests, by their number in the call.
void fail_request(int index, int code);
// Makes PMPI_Bcast call MPI_Send internally.
void nest_calls(bool nest);
// The next request gets this handle, even if it is in use.
void share_handle(MPI_Request handle);
// Requests of the library that nobody has completed.
size_t open_requests();

}  // namespace fake

#endif  // POPRT_TESTS_FAKE_MPI_H_
