// One-sided communication between fences, and between groups that post and
// start: all operations, and which process waits for which.
#include "windows.h"

namespace {

using namespace transparency;

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

}  // namespace
