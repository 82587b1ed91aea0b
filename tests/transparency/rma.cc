// One-sided communication: windows of all kinds, all operations, all kinds of
// synchronisation.
#include <algorithm>
#include <cstring>

#include "transparency.h"

namespace {

using namespace transparency;

// A window of `count` numbers on each process, which are rank * 1000 + place.
class Window {
 public:
  explicit Window(int count, MPI_Comm comm = MPI_COMM_WORLD,
                  MPI_Info info = MPI_INFO_NULL)
      : count_(static_cast<size_t>(count)) {
    // MPICH 4.0 mixes up the processes' parts unless they are whole pages.
    constexpr size_t kPage = 4096;
    const size_t bytes = (count_ * sizeof(int) + kPage - 1) / kPage * kPage;
    MPI_Win_allocate(static_cast<MPI_Aint>(bytes), sizeof(int), info, comm,
                     &memory, &handle);
    int own = -1;
    MPI_Comm_rank(comm, &own);
    std::iota(memory, memory + count_, own * 1000);
    MPI_Barrier(comm);
  }
  ~Window() {
    // The effects of other processes are complete when all are here.
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&handle);
    line("null: %s", yes(handle == MPI_WIN_NULL));
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  Ints content() const { return Ints(memory, memory + count_); }

  int* memory = nullptr;
  MPI_Win handle = MPI_WIN_NULL;

 private:
  size_t count_;
};

// Between synchronisations: every kind of operation on the next process.
void all_operations(MPI_Win window, int target, Ints& in) {
  static int values[4];
  std::iota(values, values + 4, rank() * 10);
  MPI_Put(values, 2, MPI_INT, target, 0, 2, MPI_INT, window);
  MPI_Accumulate(values, 2, MPI_INT, target, 2, 2, MPI_INT, MPI_SUM, window);
  MPI_Get(&in[0], 2, MPI_INT, target, 8, 2, MPI_INT, window);
  MPI_Get_accumulate(values, 1, MPI_INT, &in[2], 1, MPI_INT, target, 4, 1,
                     MPI_INT, MPI_SUM, window);
  MPI_Fetch_and_op(values, &in[3], MPI_INT, target, 5, MPI_MAX, window);
  static int compare = 0;
  compare = target * 1000 + 6;
  MPI_Compare_and_swap(values, &compare, &in[4], MPI_INT, target, 6, window);
  // Nothing is written.
  MPI_Get_accumulate(nullptr, 0, MPI_INT, &in[5], 1, MPI_INT, target, 9, 1,
                     MPI_INT, MPI_NO_OP, window);
}

namespace fence {
constexpr char kGroup[] = "rma_fence";

CASE(all_operations_between_fences) {
  for (int round = 0; round < 3; ++round) {
    Window window(10);
    Ints in(6, -1);
    show("fence", MPI_Win_fence(0, window.handle));
    all_operations(window.handle, next(), in);
    show("fence", MPI_Win_fence(0, window.handle));
    show("in", in);
    show("memory", window.content());
  }
}

CASE(assertions) {
  Window window(10);
  Ints in(2, -1);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window.handle);
  const int value = rank();
  MPI_Put(&value, 1, MPI_INT, next(), 0, 1, MPI_INT, window.handle);
  MPI_Win_fence(MPI_MODE_NOSTORE, window.handle);
  MPI_Get(in.data(), 2, MPI_INT, next(), 0, 2, MPI_INT, window.handle);
  MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT, window.handle);
  MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOSUCCEED,
                window.handle);
  show("in", in);
  line("memory %d", window.memory[0]);
}

CASE(noprecede_need_not_wait) {
  // All processes assert that no operation came before.
  Window window(4);
  for (int i = 0; i < 20; ++i) {
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window.handle);
    const int value = i * 10 + rank();
    MPI_Put(&value, 1, MPI_INT, next(), 1, 1, MPI_INT, window.handle);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window.handle);
    line("memory %d", window.memory[1]);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

CASE(fences_without_operations) {
  Window window(1);
  for (int i = 0; i < 50; ++i) MPI_Win_fence(0, window.handle);
  line("memory %d", window.memory[0]);
}

CASE(proc_null_and_nothing) {
  Window window(10);
  int value = 5;
  MPI_Win_fence(0, window.handle);
  const MPI_Win w = window.handle;
  show("put", MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w));
  show("get", MPI_Get(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w));
  show("accumulate", MPI_Accumulate(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1,
                                    MPI_INT, MPI_SUM, w));
  show("put nothing", MPI_Put(nullptr, 0, MPI_INT, next(), 0, 0, MPI_INT, w));
  show("get nothing", MPI_Get(nullptr, 0, MPI_INT, next(), 0, 0, MPI_INT, w));
  MPI_Win_fence(0, window.handle);
  line("value %d", value);
}

CASE(all_accumulate_operations) {
  for (const MPI_Op op : {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_BAND,
                          MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR, MPI_REPLACE}) {
    Window window(2);
    const int value = rank() + 2;
    MPI_Win_fence(0, window.handle);
    MPI_Accumulate(&value, 1, MPI_INT, next(), 1, 1, MPI_INT, op,
                   window.handle);
    MPI_Win_fence(0, window.handle);
    line("memory %d", window.memory[1]);
  }
}

CASE(everybody_adds_to_one) {
  Window window(3);
  MPI_Win_fence(0, window.handle);
  for (int i = 0; i < 100; ++i) {
    const int one = 1;
    MPI_Accumulate(&one, 1, MPI_INT, 0, i % 3, 1, MPI_INT, MPI_SUM,
                   window.handle);
  }
  MPI_Win_fence(0, window.handle);
  show("memory", window.content());
}

CASE(large_and_strided) {
  constexpr int kCount = 100000;
  Window window(kCount);
  Ints in(kCount, -1);
  MPI_Datatype every_second;
  MPI_Type_vector(kCount / 2, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  const Ints out(kCount / 2, rank() + 7);
  MPI_Win_fence(0, window.handle);
  MPI_Put(out.data(), kCount / 2, MPI_INT, next(), 0, 1, every_second,
          window.handle);
  MPI_Win_fence(0, window.handle);
  MPI_Get(in.data(), kCount, MPI_INT, next(), 0, kCount, MPI_INT,
          window.handle);
  MPI_Win_fence(0, window.handle);
  line("checksum %u", checksum(in));
  MPI_Type_free(&every_second);
}

CASE(fence_and_messages) {
  Window window(4);
  int in = -1;
  const int out = rank() + 3;
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, MPI_INT, previous(), 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Win_fence(0, window.handle);
  MPI_Isend(&out, 1, MPI_INT, next(), 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Put(&out, 1, MPI_INT, next(), 0, 1, MPI_INT, window.handle);
  MPI_Win_fence(0, window.handle);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  line("value %d, memory %d", in, window.memory[0]);
}

}  // namespace fence

namespace pscw {
constexpr char kGroup[] = "rma_pscw";

const int kValue = 6;

MPI_Group group_of(const Ints& ranks) {
  MPI_Group world;
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &group);
  MPI_Group_free(&world);
  return group;
}

CASE(ring) {
  Window window(10);
  for (int round = 0; round < 5; ++round) {
    MPI_Group from = group_of({previous()});
    MPI_Group to = group_of({next()});
    Ints in(6, -1);
    show("post", MPI_Win_post(from, 0, window.handle));
    show("start", MPI_Win_start(to, 0, window.handle));
    if (round == 0) {
      all_operations(window.handle, next(), in);
    } else {
      MPI_Put(&round, 1, MPI_INT, next(), 0, 1, MPI_INT, window.handle);
    }
    show("complete", MPI_Win_complete(window.handle));
    show("wait", MPI_Win_wait(window.handle));
    MPI_Group_free(&from);
    MPI_Group_free(&to);
    if (round == 0) show("in", in);
    show("memory", window.content());
  }
}

CASE(test_instead_of_wait) {
  Window window(10);
  for (int round = 0; round < 5; ++round) {
    MPI_Group from = group_of({previous()});
    MPI_Group to = group_of({next()});
    MPI_Win_post(from, 0, window.handle);
    MPI_Win_start(to, 0, window.handle);
    MPI_Put(&round, 1, MPI_INT, next(), 2, 1, MPI_INT, window.handle);
    MPI_Win_complete(window.handle);
    for (int flag = 0; flag == 0;) MPI_Win_test(window.handle, &flag);
    line("memory %d", window.memory[2]);
    MPI_Group_free(&from);
    MPI_Group_free(&to);
  }
}

CASE_FROM(one_target, 2) {
  // All others write to process 0.
  Window window(10);
  Ints others;
  for (int p = 1; p < size(); ++p) others.push_back(p);
  for (int round = 0; round < 5; ++round) {
    if (rank() == 0) {
      MPI_Group group = group_of(others);
      MPI_Win_post(group, 0, window.handle);
      MPI_Win_wait(window.handle);
      MPI_Group_free(&group);
      show("memory", window.content());
    } else {
      MPI_Group group = group_of({0});
      const int value = rank() * 10 + round;
      MPI_Win_start(group, 0, window.handle);
      MPI_Put(&value, 1, MPI_INT, 0, rank(), 1, MPI_INT, window.handle);
      MPI_Win_complete(window.handle);
      MPI_Group_free(&group);
    }
  }
}

CASE_FROM(one_origin, 2) {
  Window window(10);
  Ints others;
  for (int p = 1; p < size(); ++p) others.push_back(p);
  for (int round = 0; round < 5; ++round) {
    if (rank() != 0) {
      MPI_Group group = group_of({0});
      MPI_Win_post(group, 0, window.handle);
      MPI_Win_wait(window.handle);
      MPI_Group_free(&group);
      line("memory %d", window.memory[3]);
    } else {
      MPI_Group group = group_of(others);
      MPI_Win_start(group, 0, window.handle);
      for (const int p : others) {
        MPI_Put(&round, 1, MPI_INT, p, 3, 1, MPI_INT, window.handle);
      }
      MPI_Win_complete(window.handle);
      MPI_Group_free(&group);
    }
  }
}

CASE(assertions) {
  Window window(10);
  MPI_Group from = group_of({previous()});
  MPI_Group to = group_of({next()});
  MPI_Win_post(from, MPI_MODE_NOSTORE, window.handle);
  MPI_Win_start(to, 0, window.handle);
  MPI_Put(&kValue, 1, MPI_INT, next(), 2, 1, MPI_INT, window.handle);
  MPI_Win_complete(window.handle);
  MPI_Win_wait(window.handle);
  MPI_Barrier(MPI_COMM_WORLD);
  // All processes have posted, so the start need not check.
  MPI_Win_post(from, MPI_MODE_NOCHECK, window.handle);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_start(to, MPI_MODE_NOCHECK, window.handle);
  MPI_Put(&kValue, 1, MPI_INT, next(), 4, 1, MPI_INT, window.handle);
  MPI_Win_complete(window.handle);
  MPI_Win_wait(window.handle);
  line("memory %d %d", window.memory[2], window.memory[4]);
  MPI_Group_free(&from);
  MPI_Group_free(&to);
}

CASE(empty_groups) {
  Window window(10);
  for (int i = 0; i < 3; ++i) {
    show("post", MPI_Win_post(MPI_GROUP_EMPTY, 0, window.handle));
    show("wait", MPI_Win_wait(window.handle));
    show("start", MPI_Win_start(MPI_GROUP_EMPTY, 0, window.handle));
    show("complete", MPI_Win_complete(window.handle));
  }
}

CASE(group_freed_at_once) {
  Window window(10);
  MPI_Group from = group_of({previous()});
  MPI_Group to = group_of({next()});
  MPI_Win_post(from, 0, window.handle);
  MPI_Group_free(&from);
  MPI_Win_start(to, 0, window.handle);
  MPI_Group_free(&to);
  const int value = rank();
  MPI_Put(&value, 1, MPI_INT, next(), 2, 1, MPI_INT, window.handle);
  MPI_Win_complete(window.handle);
  MPI_Win_wait(window.handle);
  line("memory %d", window.memory[2]);
}

CASE(everybody_with_everybody) {
  Window window(20);
  MPI_Group all;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  for (int round = 0; round < 5; ++round) {
    MPI_Win_post(all, 0, window.handle);
    MPI_Win_start(all, 0, window.handle);
    const int value = rank() + round;
    for (int p = 0; p < size(); ++p) {
      MPI_Put(&value, 1, MPI_INT, p, rank(), 1, MPI_INT, window.handle);
    }
    MPI_Win_complete(window.handle);
    MPI_Win_wait(window.handle);
    show("memory", window.content());
  }
  MPI_Group_free(&all);
}

}  // namespace pscw

namespace passive {
constexpr char kGroup[] = "rma_passive";

CASE(lock_exclusive) {
  Window window(10);
  Ints in(6, -1);
  show("lock", MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next(), 0, window.handle));
  all_operations(window.handle, next(), in);
  show("unlock", MPI_Win_unlock(next(), window.handle));
  show("in", in);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank(), 0, window.handle);
  show("memory", window.content());
  MPI_Win_unlock(rank(), window.handle);
}

CASE(lock_shared) {
  Window window(10);
  int in = -1;
  for (int p = 0; p < size(); ++p) {
    MPI_Win_lock(MPI_LOCK_SHARED, p, 0, window.handle);
    MPI_Get(&in, 1, MPI_INT, p, 3, 1, MPI_INT, window.handle);
    MPI_Win_unlock(p, window.handle);
    line("value %d", in);
  }
}

CASE(lock_nocheck_and_own) {
  Window window(10);
  int in = -1;
  MPI_Win_lock(MPI_LOCK_SHARED, rank(), MPI_MODE_NOCHECK, window.handle);
  MPI_Get(&in, 1, MPI_INT, rank(), 3, 1, MPI_INT, window.handle);
  MPI_Win_unlock(rank(), window.handle);
  line("value %d", in);
}

#if !defined(OPEN_MPI)  // 4.1 takes it for an error
CASE(lock_proc_null) {
  Window window(2);
  ErrorsReturn errors(MPI_COMM_WORLD);
  int value = 1;
  show("lock",
       MPI_Win_lock(MPI_LOCK_EXCLUSIVE, MPI_PROC_NULL, 0, window.handle));
  MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window.handle);
  show("unlock", MPI_Win_unlock(MPI_PROC_NULL, window.handle));
}
#endif

CASE(counter_under_exclusive_locks) {
  Window window(1);
  if (rank() == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window.handle);
    window.memory[0] = 0;
    MPI_Win_unlock(0, window.handle);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 50; ++i) {
    int value = -1;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window.handle);
    MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window.handle);
    MPI_Win_flush(0, window.handle);
    ++value;
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window.handle);
    MPI_Win_unlock(0, window.handle);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int total = -1;
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window.handle);
  MPI_Get(&total, 1, MPI_INT, 0, 0, 1, MPI_INT, window.handle);
  MPI_Win_unlock(0, window.handle);
  line("counter %d", total);
}

CASE(lock_all_and_flushes) {
  Window window(10);
  Ints in(6, -1);
  show("lock_all", MPI_Win_lock_all(0, window.handle));
  all_operations(window.handle, next(), in);
  show("flush_local", MPI_Win_flush_local(next(), window.handle));
  show("flush", MPI_Win_flush(next(), window.handle));
  show("in", in);
  show("flush_local_all", MPI_Win_flush_local_all(window.handle));
  show("flush_all", MPI_Win_flush_all(window.handle));
  MPI_Barrier(MPI_COMM_WORLD);
  show("sync", MPI_Win_sync(window.handle));
  show("memory", window.content());
  MPI_Barrier(MPI_COMM_WORLD);
  show("unlock_all", MPI_Win_unlock_all(window.handle));
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window.handle);
  MPI_Win_unlock_all(window.handle);
}

CASE(requests) {
  Window window(10);
  int in[3] = {-1, -1, -1};
  const int out[2] = {rank() + 5, rank() + 6};
  MPI_Win_lock_all(0, window.handle);
  MPI_Request requests[4];
  MPI_Rput(&out[0], 1, MPI_INT, next(), 0, 1, MPI_INT, window.handle,
           &requests[0]);
  MPI_Rget(&in[0], 1, MPI_INT, next(), 5, 1, MPI_INT, window.handle,
           &requests[1]);
  MPI_Raccumulate(&out[1], 1, MPI_INT, next(), 1, 1, MPI_INT, MPI_SUM,
                  window.handle, &requests[2]);
  MPI_Rget_accumulate(&out[1], 1, MPI_INT, &in[1], 1, MPI_INT, next(), 2, 1,
                      MPI_INT, MPI_SUM, window.handle, &requests[3]);
  Status statuses[4];
  show("waitall", MPI_Waitall(4, requests, statuses));
  line("null: %s, values %d %d", yes(requests[0] == MPI_REQUEST_NULL), in[0],
       in[1]);
  MPI_Rget(&in[2], 1, MPI_INT, next(), 7, 1, MPI_INT, window.handle,
           &requests[0]);
  for (int flag = 0; flag == 0;) {
    MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  }
  line("value %d", in[2]);
  MPI_Rput(&out[0], 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, window.handle,
           &requests[0]);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Win_flush_all(window.handle);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(window.handle);
  show("memory", window.content());
}

CASE(requests_mixed_with_messages) {
  Window window(10);
  int in[2] = {-1, -1};
  const int out = rank() + 5;
  MPI_Win_lock_all(0, window.handle);
  MPI_Request requests[3];
  MPI_Rget(&in[0], 1, MPI_INT, next(), 5, 1, MPI_INT, window.handle,
           &requests[0]);
  MPI_Irecv(&in[1], 1, MPI_INT, previous(), 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&out, 1, MPI_INT, next(), 1, MPI_COMM_WORLD, &requests[2]);
  for (int done = 0; done < 3;) {
    int indices[3];
    int count = 0;
    MPI_Waitsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
    done += count;
  }
  MPI_Win_unlock_all(window.handle);
  line("values %d %d", in[0], in[1]);
}

CASE(ticket_by_fetch_and_op) {
  Window window(2);
  if (rank() == 0) window.memory[0] = 0;
  MPI_Win_lock_all(0, window.handle);
  MPI_Win_sync(window.handle);
  MPI_Barrier(MPI_COMM_WORLD);
  Ints tickets;
  for (int i = 0; i < 30; ++i) {
    const int one = 1;
    int ticket = -1;
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, window.handle);
    MPI_Win_flush(0, window.handle);
    tickets.push_back(ticket);
  }
  line("mine grow: %s", yes(std::is_sorted(tickets.begin(), tickets.end())));
  MPI_Barrier(MPI_COMM_WORLD);
  int last = -1;
  const int zero = 0;
  MPI_Fetch_and_op(&zero, &last, MPI_INT, 0, 0, MPI_NO_OP, window.handle);
  MPI_Win_flush(0, window.handle);
  line("last %d", last);
  MPI_Win_unlock_all(window.handle);
}

}  // namespace passive

namespace windows {
constexpr char kGroup[] = "rma_windows";

CASE(create) {
  std::vector<int> memory(10, rank());
  MPI_Win window;
  show("create", MPI_Win_create(memory.data(), 10 * sizeof(int), sizeof(int),
                                MPI_INFO_NULL, MPI_COMM_WORLD, &window));
  MPI_Win_fence(0, window);
  const int value = rank() + 40;
  MPI_Put(&value, 1, MPI_INT, next(), 4, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  show("memory", memory);
  show("free", MPI_Win_free(&window));
}

CASE(create_of_nothing) {
  MPI_Win window;
  MPI_Win_create(nullptr, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  // Only one process has memory.
  int memory = 0;
  MPI_Win_create(rank() == 0 ? &memory : nullptr,
                 rank() == 0 ? sizeof memory : 0, 1, MPI_INFO_NULL,
                 MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  const int one = 1;
  MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  line("memory %d", memory);
  MPI_Win_free(&window);
}

CASE(allocate_shared) {
  int* memory = nullptr;
  MPI_Win window;
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank(),
                      MPI_INFO_NULL, &node);
  MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, node,
                          &memory, &window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  memory[0] = rank() + 100;
  MPI_Win_sync(window);
  MPI_Barrier(node);
  MPI_Win_sync(window);
  MPI_Aint bytes = -1;
  int unit = -1;
  int* theirs = nullptr;
  MPI_Win_shared_query(window, next(), &bytes, &unit, &theirs);
  line("bytes %ld, unit %d, value %d", static_cast<long>(bytes), unit,
       theirs[0]);
  MPI_Win_shared_query(window, MPI_PROC_NULL, &bytes, &unit, &theirs);
  line("bytes %ld, unit %d, value %d", static_cast<long>(bytes), unit,
       theirs[0]);
  MPI_Barrier(node);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Comm_free(&node);
}

CASE(dynamic) {
  std::vector<int> memory(10, rank());
  MPI_Win window;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  show("attach", MPI_Win_attach(window, memory.data(), 10 * sizeof(int)));
  MPI_Aint mine;
  MPI_Aint theirs;
  MPI_Get_address(memory.data(), &mine);
  MPI_Sendrecv(&mine, 1, MPI_AINT, previous(), 0, &theirs, 1, MPI_AINT, next(),
               0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const int value = rank() + 70;
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next(), 0, window);
  MPI_Put(&value, 1, MPI_INT, next(), MPI_Aint_add(theirs, 3 * sizeof(int)), 1,
          MPI_INT, window);
  MPI_Win_unlock(next(), window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_fence(0, window);
  show("memory", memory);
  show("detach", MPI_Win_detach(window, memory.data()));
  MPI_Win_free(&window);
}

CASE(attributes) {
  Window window(10);
  void* base = nullptr;
  MPI_Aint* bytes = nullptr;
  int* unit = nullptr;
  int* flavor = nullptr;
  int* model = nullptr;
  int found = 0;
  MPI_Win_get_attr(window.handle, MPI_WIN_BASE, &base, &found);
  line("base %s", yes(found != 0 && base == window.memory));
  MPI_Win_get_attr(window.handle, MPI_WIN_SIZE, &bytes, &found);
  line("size %ld", static_cast<long>(*bytes));
  MPI_Win_get_attr(window.handle, MPI_WIN_DISP_UNIT, &unit, &found);
  line("unit %d", *unit);
  MPI_Win_get_attr(window.handle, MPI_WIN_CREATE_FLAVOR, &flavor, &found);
  line("allocated %s", yes(*flavor == MPI_WIN_FLAVOR_ALLOCATE));
  MPI_Win_get_attr(window.handle, MPI_WIN_MODEL, &model, &found);
  line("model found %d", found);
  MPI_Group group;
  int n = -1;
  MPI_Win_get_group(window.handle, &group);
  MPI_Group_size(group, &n);
  MPI_Group_free(&group);
  line("group of %d", n);
}

CASE(names_and_info) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "true");
  {
    Window window(4, MPI_COMM_WORLD, info);
    char name[MPI_MAX_OBJECT_NAME] = {};
    int length = -1;
    MPI_Win_set_name(window.handle, "a window");
    MPI_Win_get_name(window.handle, name, &length);
    line("%d %s", length, name);
    MPI_Info got;
    MPI_Win_get_info(window.handle, &got);
    char value[20] = {};
    int found = 0;
    MPI_Info_get(got, "no_locks", 19, value, &found);
    line("no_locks: %d %s", found, value);
    MPI_Info_free(&got);
    MPI_Win_set_info(window.handle, info);
    MPI_Win_fence(0, window.handle);
  }
  MPI_Info_free(&info);
}

CASE(on_parts_of_the_world) {
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, 0, &part);
  int own = -1;
  int all = -1;
  MPI_Comm_rank(part, &own);
  MPI_Comm_size(part, &all);
  int* memory = nullptr;
  MPI_Win window;
  MPI_Win_allocate(4096, sizeof(int), MPI_INFO_NULL, part, &memory, &window);
  // The window outlives its communicator.
  MPI_Comm_free(&part);
  MPI_Win_fence(0, window);
  const int value = rank() + 9;
  MPI_Put(&value, 1, MPI_INT, (own + 1) % all, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  line("memory %d", memory[0]);
  MPI_Win_free(&window);
  // A window of one process alone.
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF,
                   &memory, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  line("memory %d", memory[0]);
  MPI_Win_free(&window);
}

int g_handled = 0;
MPI_Win g_handled_window = MPI_WIN_NULL;
void handle(MPI_Win* window, int*, ...) {
  ++g_handled;
  g_handled_window = *window;
}

CASE(errors) {
  Window window(4);
  const MPI_Win w = window.handle;
  MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN);
  int value = 0;
  MPI_Win_fence(0, w);
  show("rank", MPI_Put(&value, 1, MPI_INT, 1000, 0, 1, MPI_INT, w));
  show("count", MPI_Put(&value, -1, MPI_INT, 0, 0, 1, MPI_INT, w));
  show("type", MPI_Get(&value, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, w));
  show("op",
       MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, w));
  MPI_Win_fence(0, w);
  show("lock type", MPI_Win_lock(99, 0, 0, w));
  show("lock rank", MPI_Win_lock(MPI_LOCK_SHARED, 1000, 0, w));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_fence(0, w);
  MPI_Errhandler handler;
  MPI_Win_create_errhandler(handle, &handler);
  MPI_Win_set_errhandler(w, handler);
  MPI_Put(&value, 1, MPI_INT, 1000, 0, 1, MPI_INT, w);
  line("handled %d, right one %s", g_handled, yes(g_handled_window == w));
  MPI_Win_call_errhandler(w, MPI_ERR_OTHER);
  line("handled %d", g_handled);
  MPI_Errhandler_free(&handler);
  MPI_Win_fence(0, w);
}

#if defined(OPEN_MPI)  // which does not look at the group; MPICH ends the run
CASE(start_without_group) {
  Window window(4);
  MPI_Win_set_errhandler(window.handle, MPI_ERRORS_RETURN);
  show("start", MPI_Win_start(MPI_GROUP_NULL, 0, window.handle));
  show("complete", MPI_Win_complete(window.handle));
  use("afterwards", MPI_COMM_WORLD);
}
#endif

CASE(alloc_mem) {
  int* memory = nullptr;
  show("alloc", MPI_Alloc_mem(4000, MPI_INFO_NULL, &memory));
  memory[999] = 3;
  show("free", MPI_Free_mem(memory));
}

CASE(handles_to_fortran_and_back) {
  Window window(4);
  line("same %s",
       yes(MPI_Win_f2c(MPI_Win_c2f(window.handle)) == window.handle));
  MPI_Win_fence(0, MPI_Win_f2c(MPI_Win_c2f(window.handle)));
}

}  // namespace windows

namespace many {
constexpr char kGroup[] = "many_windows";

CASE(many_windows_at_once) {
  std::vector<MPI_Win> windows(60);
  std::vector<int*> memory(windows.size());
  for (size_t i = 0; i < windows.size(); ++i) {
    MPI_Win_allocate(4096, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory[i], &windows[i]);
  }
  for (size_t i = 0; i < windows.size(); ++i) {
    MPI_Win_fence(0, windows[i]);
    const int value = static_cast<int>(i) + rank();
    MPI_Put(&value, 1, MPI_INT, next(), 0, 1, MPI_INT, windows[i]);
    MPI_Win_fence(0, windows[i]);
    if (i % 10 == 0) line("memory %d", memory[i][0]);
  }
  for (MPI_Win& w : windows) MPI_Win_free(&w);
}

CASE(windows_one_after_the_other) {
  for (int i = 0; i < 150; ++i) {
    int memory = 0;
    MPI_Win window;
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &window);
    MPI_Win_free(&window);
  }
  use("world", MPI_COMM_WORLD);
}

}  // namespace many
}  // namespace
