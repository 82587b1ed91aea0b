// The program's own call behind functions that only pass calls on.
#include "base/own_frames.h"

#include <alloca.h>
#include <gtest/gtest.h>

extern "C" {
extern const char __start_passing_code[];
extern const char __stop_passing_code[];
extern const char __start_first_caller[];
extern const char __stop_first_caller[];
extern const char __start_second_caller[];
extern const char __stop_second_caller[];
}

namespace poprt {
namespace {

#define IN(name) [[gnu::noinline, gnu::section(#name)]]

OwnFrames* g_frames = nullptr;
volatile int g_sink = 0;  // keeps calls from becoming jumps

[[gnu::noinline]] const void* measured() {
  return g_frames->own_code(__builtin_return_address(0), __builtin_dwarf_cfa());
}

IN(passing_code) const void* inner() {
  const void* const place = measured();
  g_sink = g_sink + 1;
  return place;
}

IN(passing_code) const void* outer(int bytes) {
  auto* const memory = static_cast<volatile char*>(alloca(16));
  memory[0] = static_cast<char>(bytes);
  const void* const place = inner();
  g_sink = g_sink + memory[0];
  return place;
}

IN(passing_code) const void* varying(size_t bytes) {
  auto* const memory = static_cast<volatile char*>(alloca(bytes));
  memory[bytes - 1] = 1;
  const void* const place = inner();
  g_sink = g_sink + memory[bytes - 1];
  return place;
}

IN(first_caller) const void* first(size_t bytes = 0) {
  const void* const place = bytes == 0 ? outer(1) : varying(bytes);
  g_sink = g_sink + 1;
  return place;
}

IN(second_caller) const void* second() {
  volatile char memory[300];
  memory[0] = 1;
  const void* const place = outer(memory[0]);
  g_sink = g_sink + memory[0];
  return place;
}

class OwnFramesTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    add_passing_code(reinterpret_cast<uintptr_t>(__start_passing_code),
                     reinterpret_cast<uintptr_t>(__stop_passing_code));
  }
  void SetUp() override { g_frames = &frames; }

  static bool is_in_first(const void* place) {
    return place > __start_first_caller && place <= __stop_first_caller;
  }
  static bool is_in_second(const void* place) {
    return place > __start_second_caller && place <= __stop_second_caller;
  }
  OwnFrames frames;
};

TEST_F(OwnFramesTest, TheCallBehindTheLibraryIsFound) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(is_in_first(first())) << i;
    EXPECT_TRUE(is_in_second(second())) << i;
  }
}

TEST_F(OwnFramesTest, TheStackIsSeldomUnwound) {
  for (int i = 0; i < 4096; ++i) first();
  EXPECT_LE(frames.unwound(), 2 * 13);
}

TEST_F(OwnFramesTest, FramesOfVariableSizeAreUnwoundEachTime) {
  for (size_t bytes : {64u, 4096u, 512u, 512u, 8192u, 64u, 2048u, 100000u}) {
    EXPECT_TRUE(is_in_first(first(bytes))) << bytes;
  }
}

TEST_F(OwnFramesTest, ACallOfTheProgramStaysAsItIs) {
  const void* const place = measured();
  g_sink = g_sink + 1;
  EXPECT_NE(nullptr, place);
  EXPECT_FALSE(is_in_first(place));
  EXPECT_EQ(0, frames.unwound());
}

TEST(PassesCallsOn, KnowsBindingsByTheirNames) {
  for (const char* name :
       {"libmpi_mpifh.so.40", "libmpichfort.so.12", "libmpi_usempif08.so.40",
        "libmpifort.so.12", "MPI.cpython-311-x86_64-linux-gnu.so",
        "libpetsc_real.so.3.18"}) {
    EXPECT_TRUE(passes_calls_on(name)) << name;
  }
  for (const char* name : {"libmpi.so.40", "libmpich.so.12", "liblammps.so.0",
                           "app", "", "libMPI.so"}) {
    EXPECT_FALSE(passes_calls_on(name)) << name;
  }
}

}  // namespace
}  // namespace poprt
