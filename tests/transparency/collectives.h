// Every form that MPI has of each collective, and what their cases have in
// common.
//
// A form has static functions with the names of the collectives; each makes the
// call and completes it.  Count is what it counts with, Place its
// displacements.
#ifndef POPRT_TESTS_TRANSPARENCY_COLLECTIVES_H_
#define POPRT_TESTS_TRANSPARENCY_COLLECTIVES_H_

#include "../mpi_collectives.h"
#include "transparency.h"

namespace transparency {

// Completes the request in a way that changes from call to call, and shows the
// status.
inline int complete_collective(MPI_Request* request) {
  static unsigned way = 0;
  Status status;
  int flag = 0;
  int index = -1;
  int code = MPI_SUCCESS;
  switch (way++ % 5) {
    case 0:
      code = MPI_Wait(request, &status);
      break;
    case 1:
      while (flag == 0 && code == MPI_SUCCESS) {
        code = MPI_Test(request, &flag, MPI_STATUS_IGNORE);
      }
      break;
    case 2:
      code = MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
      break;
    case 3:
      code = MPI_Waitany(1, request, &index, &status);
      break;
    default:
      while (flag == 0 && code == MPI_SUCCESS) {
        code = MPI_Request_get_status(*request, &flag, &status);
      }
      if (code == MPI_SUCCESS) code = MPI_Wait(request, MPI_STATUS_IGNORE);
  }
  return code;
}

// A form is made of what makes a call of each collective and completes it.
#define POPRT_FORM_OF(Form, CountType, PlaceType, FORM) \
  struct Form {                                         \
    using Count = CountType;                            \
    using Place = PlaceType;                            \
    POPRT_COLLECTIVES(FORM)                             \
  };
#define POPRT_CALLS(ours, call)             \
  template <class... Arguments>             \
  static int ours(Arguments... arguments) { \
    return call;                            \
  }

template <class Call>
int completed(Call call) {
  MPI_Request request;
  const int code = call(&request);
  if (code != MPI_SUCCESS) return code;
  const int done = complete_collective(&request);
  if (request != MPI_REQUEST_NULL) line("not null after");
  return done;
}

#define POPRT_FORM(ours, name, iname) \
  POPRT_CALLS(ours, MPI_##name(arguments...))
POPRT_FORM_OF(Blocking, int, int, POPRT_FORM)
#undef POPRT_FORM
#define POPRT_FORM(ours, name, iname) \
  POPRT_CALLS(                        \
      ours, completed([&](auto* r) { return MPI_##iname(arguments..., r); }))
POPRT_FORM_OF(Nonblocking, int, int, POPRT_FORM)
#undef POPRT_FORM

#if defined(POPRT_HAS_MPI_Allreduce_init)

// Starts it twice. With MPI_IN_PLACE the input of the second start is the
// result of the first, in the same way in all runs.
template <class Init>
int started_twice(const std::string& name, Init init) {
  MPI_Request request;
  int code = init(MPI_INFO_NULL, &request);
  if (code != MPI_SUCCESS) return code;
  // MPICH 4.0 cannot start these a second time.
  const int rounds = name == "bcast" || name == "scatter" ? 1 : 2;
  for (int round = 0; round < rounds && code == MPI_SUCCESS; ++round) {
    code = MPI_Start(&request);
    if (code == MPI_SUCCESS) code = complete_collective(&request);
  }
  MPI_Request_free(&request);
  return code;
}

#define POPRT_FORM(ours, name, iname)                            \
  POPRT_CALLS(ours, started_twice(#ours, [&](auto... last) {     \
                return MPI_##name##_init(arguments..., last...); \
              }))
POPRT_FORM_OF(Persistent, int, int, POPRT_FORM)
#undef POPRT_FORM

#endif

#if defined(POPRT_HAS_MPI_Allreduce_init_c)

#define POPRT_FORM(ours, name, iname) \
  POPRT_CALLS(ours, MPI_##name##_c(arguments...))
POPRT_FORM_OF(LargeBlocking, MPI_Count, MPI_Aint, POPRT_FORM)
#undef POPRT_FORM
#define POPRT_FORM(ours, name, iname)                    \
  POPRT_CALLS(ours, completed([&](auto* r) {             \
                return MPI_##iname##_c(arguments..., r); \
              }))
POPRT_FORM_OF(LargeNonblocking, MPI_Count, MPI_Aint, POPRT_FORM)
#undef POPRT_FORM
#define POPRT_FORM(ours, name, iname)                              \
  POPRT_CALLS(ours, started_twice(#ours, [&](auto... last) {       \
                return MPI_##name##_init_c(arguments..., last...); \
              }))
POPRT_FORM_OF(LargePersistent, MPI_Count, MPI_Aint, POPRT_FORM)
#undef POPRT_FORM

#endif

// For so many numbers, and one that must stay as it is.
inline Ints room_for(int count) {
  return Ints(static_cast<size_t>(count) + 1, -1);
}

struct Where {
  explicit Where(MPI_Comm c) {
    MPI_Comm_rank(c, &rank);
    MPI_Comm_size(c, &size);
  }
  // Calls body(root, whether this is it) with each process as the root.
  template <class Body>
  void as_each_root(Body body) const {
    for (int root = 0; root < size; ++root) body(root, root == rank);
  }

  int rank;
  int size;
};

// Counts that differ from process to process, some of them zero, and where the
// data begins.
template <class F>
struct Pieces {
  explicit Pieces(const std::vector<int>& sizes) {
    // Never null: the MPI libraries take a null array for an error.
    counts.reserve(1);
    places.reserve(1);
    bytes.reserve(1);
    types.reserve(1);
    for (const int n : sizes) {
      counts.push_back(n);
      places.push_back(total);
      bytes.push_back(total * static_cast<typename F::Place>(sizeof(int)));
      total += n;
    }
    types.assign(sizes.size(), MPI_INT);
  }
  Ints room() const { return room_for(static_cast<int>(total)); }
  Ints filled(int first) const {
    return numbers(static_cast<int>(total) + 1, first);
  }
  typename F::Count of(int rank) const {
    return counts[static_cast<size_t>(rank)];
  }
  const typename F::Count* c() const { return counts.data(); }
  const typename F::Place* p() const { return places.data(); }
  const typename F::Place* b() const { return bytes.data(); }
  const MPI_Datatype* t() const { return types.data(); }

  std::vector<typename F::Count> counts;
  std::vector<typename F::Place> places;
  std::vector<typename F::Place> bytes;
  std::vector<MPI_Datatype> types;
  typename F::Place total = 0;
};

template <class F>
Pieces<F> no_pieces(int processes) {
  return Pieces<F>(Ints(static_cast<size_t>(processes), 0));
}

inline std::vector<int> sizes_of(int processes, int seed) {
  std::vector<int> sizes;
  for (int i = 0; i < processes; ++i) sizes.push_back((i + seed) % 3);
  return sizes;
}

inline void show_call(const char* what, int code, const Ints& data) {
  line("%s: %s; %s", what, name_of_error(code).c_str(), text_of(data).c_str());
}

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_COLLECTIVES_H_
