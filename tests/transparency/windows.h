// Windows of one-sided communication.
#ifndef POPRT_TESTS_TRANSPARENCY_WINDOWS_H_
#define POPRT_TESTS_TRANSPARENCY_WINDOWS_H_

#include "transparency.h"

namespace transparency {

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
inline void all_operations(MPI_Win window, int target, Ints& in) {
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

}  // namespace transparency

#endif  // POPRT_TESTS_TRANSPARENCY_WINDOWS_H_
