// Communicators without a shadow of their own.
//
// An MPI library has a limited number of communicators, and the program must
// not run out of them because of the tool.  In MPI_Comm_idup the processes
// cannot even agree on making a shadow.  In both cases the clocks of messages
// go on the shadow of another communicator that has at least the same
// processes, the carrier.  A label says which communicator they belong to.  A
// process that receives clocks of another communicator keeps them for it.
// Clocks of a communicator that has been freed are dropped; a key is never used
// again.
//
// Collectives on different communicators have no common order, so they cannot
// go on the carrier.  Where every process depends on every other one, the
// tool's collective is on the program's communicator and completes inside the
// program's call.  Nothing of the tool's is then under way when the program
// frees it.  Other clocks are sent directly, see direct().
#ifndef POPRT_WRAPPERS_EDGES_SHARED_SHADOW_H_
#define POPRT_WRAPPERS_EDGES_SHARED_SHADOW_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "clocks/clock_message.h"

namespace poprt::mpi {

struct CommInfo;

// Which communicator and which of its tags clocks belong to.
struct Label {
  bool operator==(const Label&) const = default;

  uint64_t key;
  int64_t tag;
};
// The label comes directly after the clocks that are there.
struct LabelledClocks {
  size_t bytes() const { return clocks.bytes() + sizeof(Label); }
  void put_label(const Label& label) {
    std::memcpy(end(), &label, sizeof label);
  }
  Label label() {
    Label label;
    std::memcpy(&label, end(), sizeof label);
    return label;
  }

  ClockMessage clocks;
  unsigned char room[sizeof(Label)];

 private:
  char* end() { return reinterpret_cast<char*>(this) + clocks.bytes(); }
};

// The communicators without a shadow of their own, by their keys.  Protected by
// the mutex, like their `kept`.
struct Sharing {
  Mutex mutex;
  std::unordered_map<uint64_t, CommInfo*> by_key;
  LabelledClocks came;  // a message that is being taken
};

// Called before any other process can send clocks of `info`; its key is known.
void share_shadow(CommInfo& info, CommInfo& carrier,
                  std::vector<int> ranks_there);
// Called when the communicator is released.  False: others may still look for
// it, and it must not be freed.
bool stop_sharing(CommInfo& info);

// The tag of labelled messages.  Several streams may have the same one; their
// labels tell them apart.
int shared_tag(const Label& label);

// Takes the next clocks of a stream.  False: they have not come in time.
bool take_labelled(CommInfo& comm, int source, int tag, int64_t patience_ns,
                   ClockMessage* clocks);

}  // namespace poprt::mpi

#endif  // POPRT_WRAPPERS_EDGES_SHARED_SHADOW_H_
