// What the fuzz targets share.
#ifndef POPRT_TESTS_FUZZ_FUZZ_H_
#define POPRT_TESTS_FUZZ_FUZZ_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace poprt::fuzz {

// Ends the process, which the fuzzer reports with the input.
inline void require(bool holds, const char* what, std::string_view shown = "") {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n%.*s\n", what,
               static_cast<int>(shown.size()), shown.data());
  std::abort();
}

// One line, or nothing, that a terminal shows as it is.
inline bool is_one_line(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) return false;
  }
  return true;
}

// Lines that a terminal shows as they are.
inline bool is_harmless(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') return false;
  }
  return true;
}

}  // namespace poprt::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#endif  // POPRT_TESTS_FUZZ_FUZZ_H_
