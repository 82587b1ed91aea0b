#include "base/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdlib>

#include "base/mutex.h"
#include "base/no_interruption.h"
#include "base/open_files.h"
#include "base/optional_memory.h"

namespace poprt {
namespace {

constexpr size_t kLine = 64;
constexpr size_t kChunk = size_t{256} << 10;
// Blocks up to this size are recycled; larger ones go back to the system.
constexpr size_t kLargest = size_t{2} << 20;

// The reserve is address space of which no page is used before it is needed.
constexpr size_t kForEvents = size_t{4} << 20;
constexpr size_t kForEnd = size_t{60} << 20;
constexpr size_t kForLastWords = size_t{64} << 10;

// Lies in front of the memory that take_memory() returns.
struct Header {
  size_t bytes;   // of the block
  size_t offset;  // from the block's begin to the returned memory
};
static_assert(sizeof(Header) == 16);

// Sizes of blocks: multiples of a cache line, from 512 bytes on four sizes for
// each power of two.
constexpr size_t kFine = 512;
constexpr int kFineClasses = kFine / kLine;

int class_of(size_t bytes) {
  if (bytes <= kFine) return static_cast<int>((bytes - 1) / kLine);
  const int power = std::bit_width(bytes - 1) - 1;  // 2^power <= bytes - 1
  const auto quarter = static_cast<int>(((bytes - 1) >> (power - 2)) & 3);
  return kFineClasses + (power - 9) * 4 + quarter;
}
size_t size_of(int size_class) {
  if (size_class < kFineClasses) {
    return static_cast<size_t>(size_class + 1) * kLine;
  }
  const int rest = size_class - kFineClasses;
  return static_cast<size_t>(rest % 4 + 5) << (rest / 4 + 7);
}
constexpr int kClasses = kFineClasses + (21 - 9) * 4;

struct Free {
  Free* next;
};

constinit Mutex g_mutex;
// Protected by the mutex.
Free* g_free[kClasses] = {};
char* g_chunk = nullptr;
size_t g_chunk_left = 0;

std::atomic<char*> g_reserve{nullptr};
std::atomic<size_t> g_reserve_used{0};
std::atomic<size_t> g_reserve_limit{0};  // how much may be used
std::atomic<size_t> g_reserve_bytes{0};
std::atomic<int64_t> g_given_up{0};
thread_local constinit MemoryAttempt* t_attempt = nullptr;

// Not interrupted by signals: siglongjmp() out of mmap() or munmap() would
// leave the locks of who intercepts them (UCX).
char* map(size_t bytes) {
  const NoInterruption undisturbed;
  const int error = errno;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  errno = error;
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

// Else a core file would be larger by pages that were never used, or by these
// as zeros where a file has no holes.
void leave_out_of_core_files(char* memory, size_t bytes) {
  const NoInterruption undisturbed;
  const int error = errno;
  madvise(memory, bytes, MADV_DONTDUMP);
  errno = error;
}

// For any thread at any time, even in a handler that has interrupted this
// function.
char* take_of_reserve(size_t bytes) {
  char* const reserve = g_reserve.load(std::memory_order_acquire);
  if (reserve == nullptr) return nullptr;
  size_t used = g_reserve_used.load(std::memory_order_relaxed);
  do {
    if (bytes > g_reserve_limit.load(std::memory_order_relaxed) - used) {
      return nullptr;
    }
  } while (!g_reserve_used.compare_exchange_weak(used, used + bytes,
                                                 std::memory_order_relaxed));
  return reserve + used;
}

char* map_or_reserve(size_t bytes) {
  char* const memory = map(bytes);
  return memory != nullptr ? memory : take_of_reserve(bytes);
}

// siglongjmp() may leave this code between any two instructions: what the mutex
// protects must be consistent after each of them.
void in_this_order() { std::atomic_signal_fence(std::memory_order_seq_cst); }

// REQUIRES: the mutex is held.
char* new_block(size_t bytes) {
  if (bytes > g_chunk_left) {
    if (bytes > kChunk / 4) return map_or_reserve(bytes);
    char* const chunk = map(kChunk);
    if (chunk == nullptr) return take_of_reserve(bytes);
    g_chunk_left = 0;
    in_this_order();
    g_chunk = chunk;
    in_this_order();
    g_chunk_left = kChunk;
  }
  char* const block = g_chunk;
  g_chunk_left -= bytes;
  in_this_order();
  g_chunk += bytes;
  return block;
}

char* take_block(size_t bytes, int size_class) {
  if (!g_mutex.lock(&bytes)) {
    // A signal handler has interrupted the holder of the mutex.
    char* const block = take_of_reserve(bytes);
    return block != nullptr ? block : map(bytes);
  }
  Free* const known = g_free[size_class];
  if (known != nullptr) g_free[size_class] = known->next;
  char* const block =
      known != nullptr ? reinterpret_cast<char*>(known) : new_block(bytes);
  g_mutex.unlock();
  return block;
}

}  // namespace

void reserve_memory() {
  if (g_reserve.load() != nullptr) return;
  // If there is not as much, take less.
  size_t for_events = kForEvents;
  size_t for_end = kForEnd;
  for (; for_events >= kForLastWords; for_events /= 2, for_end /= 2) {
    const size_t bytes = for_events + for_end + kForLastWords;
    char* const memory = map(bytes);
    if (memory == nullptr) continue;
    leave_out_of_core_files(memory, bytes);
    g_reserve_bytes.store(bytes);
    g_reserve_limit.store(for_events);
    g_reserve.store(memory, std::memory_order_release);
    return;
  }
}

void open_reserve_for_end() {
  const size_t bytes = g_reserve_bytes.load();
  if (bytes > 0) g_reserve_limit.store(bytes - kForLastWords);
}

void* take_memory(size_t bytes, size_t alignment) {
  const size_t padding =
      alignment <= sizeof(Header) ? sizeof(Header) : alignment;
  if (bytes > SIZE_MAX / 2) return nullptr;
  size_t need = bytes + padding;
  char* block;
  if (need <= kLargest) {
    const int size_class = class_of(need);
    need = size_of(size_class);
    block = take_block(need, size_class);
  } else {
    need = (need + kLine - 1) & ~(kLine - 1);
    block = map_or_reserve(need);
  }
  if (block == nullptr) return nullptr;
  // Blocks begin at a cache line, blocks of pages at a page.
  const auto begin = reinterpret_cast<uintptr_t>(block);
  const uintptr_t place =
      (begin + sizeof(Header) + alignment - 1) & ~uintptr_t{alignment - 1};
  Header* const header = reinterpret_cast<Header*>(place) - 1;
  *header = {need, place - begin};
  return reinterpret_cast<void*>(place);
}

void* take_optional_memory(size_t bytes, size_t alignment) {
  const bool plenty = g_reserve_used.load(std::memory_order_relaxed) <=
                      g_reserve_limit.load(std::memory_order_relaxed) / 2;
  return plenty ? take_memory(bytes, alignment) : nullptr;
}

void release_memory(void* memory) {
  if (memory == nullptr) return;
  const Header header = *(static_cast<const Header*>(memory) - 1);
  char* const block = static_cast<char*>(memory) - header.offset;
  if (header.bytes > kLargest) {
    const char* const reserve = g_reserve.load(std::memory_order_acquire);
    const bool reserved = reserve != nullptr && block >= reserve &&
                          block < reserve + g_reserve_bytes.load();
    if (reserved) return;
    const NoInterruption undisturbed;
    munmap(block, header.bytes);
    return;
  }
  // Memory that a handler frees while it interrupts this is lost.
  if (!g_mutex.lock(&header)) return;
  Free* const free = reinterpret_cast<Free*>(block);
  Free*& list = g_free[class_of(header.bytes)];
  free->next = list;
  in_this_order();
  list = free;
  g_mutex.unlock();
}

int64_t work_given_up() { return g_given_up.load(); }

void push_attempt(MemoryAttempt* attempt) {
  attempt->outer = t_attempt;
  t_attempt = attempt;
}

void pop_attempt(const MemoryAttempt* attempt) { t_attempt = attempt->outer; }

void run_out_of_memory() {
  g_given_up.fetch_add(1);
  if (t_attempt != nullptr) std::longjmp(t_attempt->out, 1);
  // Only an event that cannot be dropped comes here, when neither the system
  // nor the reserve has memory left.
  constexpr char kLastWords[] =
      "poprt: there is no memory left, and the program cannot go on under this "
      "library\n";
  if (why_not_written(STDERR_FILENO) == nullptr) {
    (void)!write(STDERR_FILENO, kLastWords, sizeof kLastWords - 1);
  }
  std::abort();
}

}  // namespace poprt
