#include "base/own_frames.h"

#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/mix.h"

namespace poprt {
namespace {

// The beginnings of file names: bindings of MPI, and libraries that call MPI
// for the program.
constexpr std::string_view kPassing[] = {
    "libmpi_mpifh", "libmpi_usempi", "libmpifort",  "libmpichfort",
    "libfmpich",    "libmpichf90",   "libmpi_cxx",  "libmpicxx",
    "libmpichcxx",  "MPI.cpython-",  "MPI.abi3",    "libboost_mpi",
    "libpetsc",     "libslepc",      "libhdf5",     "libnetcdf",
    "libpnetcdf",   "libscalapack",  "libblacs",    "libfftw3",
    "libfftw3_mpi", "libparmetis",   "libptscotch", "libHYPRE",
    "libadios2",
};

struct Range {
  uintptr_t begin;
  uintptr_t end;
};
constexpr int kMostRanges = 64;
Range g_passing[kMostRanges];
int g_passing_count = 0;

bool is_passing(const void* code) {
  const auto address = reinterpret_cast<uintptr_t>(code);
  return std::any_of(g_passing, g_passing + g_passing_count,
                     [&](const Range& range) {
                       return address - range.begin < range.end - range.begin;
                     });
}

struct Images {
  int count = 0;
  bool own_seen = false;
};

int add_if_passing(dl_phdr_info* info, size_t, void* data) {
  auto* const images = static_cast<Images*>(data);
  std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  path.remove_prefix(path.rfind('/') + 1);
  Range code[4];
  int pieces = 0;
  for (int i = 0; i < info->dlpi_phnum && pieces < 4; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    code[pieces++] = {begin, begin + segment.p_memsz};
    const auto own = reinterpret_cast<uintptr_t>(&find_passing_libraries);
    if (own - begin < segment.p_memsz) images->own_seen = true;
  }
  // The program is the first one; what is preloaded in front of this library is
  // a tool that the program's calls go through.
  const bool is_in_front = images->count++ > 0 && !images->own_seen;
  if (!is_in_front && !passes_calls_on(path)) return 0;
  for (int i = 0; i < pieces; ++i) {
    add_passing_code(code[i].begin, code[i].end);
  }
  return 0;
}

// The frames from one whose return address and stack pointer are known, up to
// the first one of the program.
struct Unwinding {
  static constexpr int kMost = 64;
  struct Step {
    const void* code;
    uintptr_t stack;
  };

  const void* code;
  uintptr_t stack;
  Step steps[kMost] = {};
  int count = 0;
};

// A code address that a word of the stack keeps: a processor may have signed it
// in the bits that no address of a program uses.
const void* kept_code(const void* word) {
#if defined(__aarch64__)
  constexpr uintptr_t kAddressBits = (uintptr_t{1} << 48) - 1;
  return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(word) &
                                       kAddressBits);
#else
  return word;
#endif
}

// Where in the frame of `bytes` from `stack` on the return address `code` is;
// negative if that is not sure.
int64_t find_return([[maybe_unused]] uintptr_t stack, int64_t bytes,
                    [[maybe_unused]] const void* code) {
  constexpr auto kWord = static_cast<int64_t>(sizeof(void*));
#if defined(__x86_64__)
  return bytes - kWord;  // the call has pushed it
#else
  constexpr int64_t kSearched = 1024 * kWord;
  constexpr uintptr_t kLargestStack = uintptr_t{1} << 40;
  const uintptr_t caller = stack + static_cast<uintptr_t>(bytes);
  int64_t found = -1;
  int64_t record = -1;
  int copies = 0;
  int records = 0;
  for (int64_t at = 0; at + kWord <= std::min(bytes, kSearched); at += kWord) {
    const auto* const word = reinterpret_cast<const void* const*>(
        stack + static_cast<uintptr_t>(at));
    if (kept_code(*word) != code) continue;
    found = at;
    ++copies;
    // Variables may have copies of it. Only the frame's own one is behind the
    // frame pointer of the caller, which is in the caller's frame.
    if (at > 0 &&
        reinterpret_cast<uintptr_t>(word[-1]) - caller < kLargestStack) {
      record = at;
      ++records;
    }
  }
  return copies == 1 ? found : records == 1 ? record : -1;
#endif
}

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* data) {
  auto* const it = static_cast<Unwinding*>(data);
  const auto* const code =
      reinterpret_cast<const void*>(_Unwind_GetIP(context));
  const uintptr_t stack = _Unwind_GetCFA(context);
  if (it->count == 0 && (code != it->code || stack != it->stack)) {
    return _URC_NO_REASON;
  }
  it->steps[it->count++] = {code, stack};
  return it->count == Unwinding::kMost || !is_passing(code) ? _URC_NORMAL_STOP
                                                            : _URC_NO_REASON;
}

}  // namespace

bool passes_calls_on(std::string_view file_name) {
  return std::any_of(
      std::begin(kPassing), std::end(kPassing),
      [&](std::string_view each) { return file_name.starts_with(each); });
}

void add_passing_code(uintptr_t begin, uintptr_t end) {
  if (g_passing_count < kMostRanges)
    g_passing[g_passing_count++] = {begin, end};
}

void find_passing_libraries() {
  Images images;
  dl_iterate_phdr(add_if_passing, &images);
}

bool has_passing_libraries() { return g_passing_count > 0; }

OwnFrames::Frame* OwnFrames::find(const void* code) {
  constexpr size_t kTries = 8;
  const uint64_t hash = mix(reinterpret_cast<uintptr_t>(code));
  for (size_t i = 0; i < kTries; ++i) {
    Frame& frame = frames_[(hash + i) % kPlaces];
    if (frame.code == code) return &frame;
    if (frame.code != nullptr) continue;
    frame.code = code;
    return &frame;
  }
  return nullptr;
}

const void* OwnFrames::unwind(const void* code, const void* stack) {
  ++unwound_;
  Unwinding it = {code, reinterpret_cast<uintptr_t>(stack)};
  _Unwind_Backtrace(visit_frame, &it);
  if (it.count > 0) highest_ = std::max(highest_, it.steps[it.count - 1].stack);
  for (int i = 0; i + 1 < it.count; ++i) {
    Frame* const frame = find(it.steps[i].code);
    if (frame == nullptr) continue;
    const auto bytes =
        static_cast<int64_t>(it.steps[i + 1].stack - it.steps[i].stack);
    const int64_t at =
        find_return(it.steps[i].stack, bytes, it.steps[i + 1].code);
    if (frame->bytes != 0 &&
        (frame->bytes != bytes || frame->returns_at != at)) {
      frame->varies = true;
    }
    frame->bytes = bytes;
    frame->returns_at = at;
  }
  return it.count == 0 ? code : it.steps[it.count - 1].code;
}

const void* OwnFrames::own_code(const void* code, const void* stack) {
  constexpr int kDeepest = 64;
  constexpr int64_t kLargestFrame = 1 << 20;
  constexpr auto kWord = static_cast<int64_t>(sizeof(void*));
  const void* place = code;
  const auto* top = static_cast<const char*>(stack);
  for (int depth = 0; depth < kDeepest && is_passing(place); ++depth) {
    Frame* const frame = find(place);
    if (frame == nullptr) return code;
    ++frame->uses;
    if (frame->varies || std::has_single_bit(frame->uses)) unwind(place, top);
    if (frame->bytes < kWord || frame->bytes > kLargestFrame) return code;
    const char* const word = top + frame->returns_at;
    top += frame->bytes;
    if (reinterpret_cast<uintptr_t>(top) > highest_ || word >= top ||
        frame->returns_at < 0) {
      const void* const own = unwind(code, stack);
      return is_passing(own) ? code : own;
    }
    place = kept_code(*reinterpret_cast<const void* const*>(word));
  }
  return is_passing(place) || place == nullptr ? code : place;
}

}  // namespace poprt
