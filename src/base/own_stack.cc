#include "base/own_stack.h"

#include <sys/mman.h>

#include <cerrno>
#include <csignal>

#include "base/memory.h"
#include "base/no_interruption.h"
#include "base/stack_left.h"
#include "base/valgrind.h"

// Of the sanitizers' run-time libraries, where the program has one: they keep
// an account of each stack.
extern "C" {
[[gnu::weak, gnu::visibility("default")]] void __sanitizer_start_switch_fiber(
    void** frames, const void* bottom, size_t bytes);
[[gnu::weak, gnu::visibility("default")]] void __sanitizer_finish_switch_fiber(
    void* frames, const void** bottom, size_t* bytes);
[[gnu::weak, gnu::visibility("default")]] void* __tsan_get_current_fiber();
[[gnu::weak, gnu::visibility("default")]] void* __tsan_create_fiber(
    unsigned flags);
[[gnu::weak, gnu::visibility("default")]] void __tsan_destroy_fiber(
    void* fiber);
[[gnu::weak, gnu::visibility("default")]] void __tsan_switch_to_fiber(
    void* fiber, unsigned flags);
}

// Calls work(data) with the stack pointer at `top`.
extern "C" void poprt_call_on_stack(void* top, void (*work)(void*), void* data);

#if defined(__x86_64__)
asm(R"(
  .text
  .p2align 4
  .type poprt_call_on_stack, @function
poprt_call_on_stack:
  .cfi_startproc
  endbr64
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %rdi, %rsp
  movq %rdx, %rdi
  callq *%rsi
  leave
  .cfi_def_cfa %rsp, 8
  retq
  .cfi_endproc
  .size poprt_call_on_stack, . - poprt_call_on_stack
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .p2align 4
  .type poprt_call_on_stack, %function
poprt_call_on_stack:
  .cfi_startproc
  hint #34
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
  .cfi_def_cfa_register x29
  mov sp, x0
  mov x0, x2
  blr x1
  mov sp, x29
  .cfi_def_cfa_register sp
  ldp x29, x30, [sp], #16
  .cfi_restore x29
  .cfi_restore x30
  .cfi_def_cfa_offset 0
  ret
  .cfi_endproc
  .size poprt_call_on_stack, . - poprt_call_on_stack
)");
#endif

namespace poprt {

thread_local constinit const OwnStack* t_own_stack = nullptr;

namespace {

#if defined(__x86_64__) || defined(__aarch64__)

constexpr size_t kPage = size_t{64} << 10;  // the largest there is
// As much again for the C library.
constexpr size_t kBytes = 2 * kRoom + kPage;

// Memory whose lowest page cannot be accessed.
class StackMemory {
 public:
  StackMemory() : memory_(static_cast<char*>(take_memory(kBytes, kPage))) {
    if (memory_ != nullptr) mprotect(memory_, kPage, PROT_NONE);
  }
  ~StackMemory() {
    if (memory_ == nullptr) return;
    mprotect(memory_, kPage, PROT_READ | PROT_WRITE);
    release_memory(memory_);
  }
  StackMemory(const StackMemory&) = delete;
  StackMemory& operator=(const StackMemory&) = delete;

  // Null: there is none.
  char* low() const { return memory_ == nullptr ? nullptr : memory_ + kPage; }
  char* high() const { return memory_ + kBytes; }

 private:
  char* const memory_;
};

struct Crossing {
  void (*work)(void*);
  void* data;
};

// On the own stack.
void cross(void* data) {
  const Crossing& crossing = *static_cast<const Crossing*>(data);
  const void* bottom = nullptr;
  size_t bytes = 0;
  if (__sanitizer_finish_switch_fiber != nullptr) {
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &bytes);
  }
  crossing.work(crossing.data);
  if (__sanitizer_start_switch_fiber != nullptr) {
    __sanitizer_start_switch_fiber(nullptr, bottom, bytes);
  }
}

// Else valgrind takes what is between two stacks for a frame, whose values are
// not defined.  Of the program's stack, which it may not know either (a
// fibre's), it must know where the work returns to.
class KnownToValgrind {
 public:
#if defined(VALGRIND_STACK_REGISTER)
  KnownToValgrind(uintptr_t low, uintptr_t high)
      : id_(VALGRIND_STACK_REGISTER(low, high)) {}
  ~KnownToValgrind() { VALGRIND_STACK_DEREGISTER(id_); }
  KnownToValgrind(const KnownToValgrind&) = delete;
  KnownToValgrind& operator=(const KnownToValgrind&) = delete;

 private:
  const unsigned id_;
#else
  KnownToValgrind(uintptr_t, uintptr_t) {}
#endif
};

void call_on(const OwnStack& own, Crossing* crossing) {
  constexpr uintptr_t kFrames = 1024;  // more than the functions here have
  const KnownToValgrind known(own.low, own.high);
  const KnownToValgrind left(own.entered_at - kFrames, own.entered_at);
  void* frames = nullptr;
  void* before = nullptr;
  void* fiber = nullptr;
  if (__tsan_create_fiber != nullptr) {
    before = __tsan_get_current_fiber();
    fiber = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(fiber, 0);
  }
  if (__sanitizer_start_switch_fiber != nullptr) {
    __sanitizer_start_switch_fiber(
        &frames, reinterpret_cast<const void*>(own.low), own.high - own.low);
  }
  poprt_call_on_stack(reinterpret_cast<void*>(own.high), cross, crossing);
  if (__sanitizer_finish_switch_fiber != nullptr) {
    __sanitizer_finish_switch_fiber(frames, nullptr, nullptr);
  }
  if (fiber != nullptr) {
    __tsan_switch_to_fiber(before, 0);
    __tsan_destroy_fiber(fiber);
  }
}

bool on_alternate_stack() {
  stack_t stack;
  return sigaltstack(nullptr, &stack) == 0 &&
         (stack.ss_flags & SS_ONSTACK) != 0;
}

// False: there is no memory for a stack.
bool call_on_own_stack(void (*work)(void*), void* data) {
  const NoInterruption undisturbed;
  const int error = errno;
  const StackMemory memory;
  if (memory.low() == nullptr) return false;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const OwnStack own = {reinterpret_cast<uintptr_t>(memory.low()),
                        reinterpret_cast<uintptr_t>(memory.high()), here,
                        on_alternate_stack()};
  Crossing crossing = {work, data};
  const OwnStack* const outer = t_own_stack;
  t_own_stack = &own;
  errno = error;
  call_on(own, &crossing);
  t_own_stack = outer;
  return true;
}

#else

bool call_on_own_stack(void (*)(void*), void*) { return false; }

#endif

}  // namespace

void call_with_room(void (*work)(void*), void* data) {
  if (stack_left() >= kRoom || !call_on_own_stack(work, data)) work(data);
}

}  // namespace poprt
