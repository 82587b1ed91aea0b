// The real helper on programs that know where their addresses are.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "code_places/source_location.h"

namespace poprt {
namespace {

constexpr int64_t kLong = 60'000'000'000;

struct Place {
  std::string function;
  std::string symbol;
  std::string line;
  CodeAddress address;
};

std::vector<Place> places_of(const std::string& command) {
  std::vector<Place> places;
  std::FILE* const output = popen(command.c_str(), "r");
  if (output == nullptr) return places;
  char line[4096];
  while (std::fgets(line, sizeof line, output) != nullptr) {
    std::istringstream fields(line);
    Place place;
    std::string offset;
    std::getline(fields, place.function, '\t');
    std::getline(fields, place.symbol, '\t');
    std::getline(fields, place.line, '\t');
    std::getline(fields, place.address.module, '\t');
    std::getline(fields, offset);
    place.address.offset = std::strtoull(offset.c_str(), nullptr, 16);
    places.push_back(place);
  }
  EXPECT_EQ(0, pclose(output)) << command;
  return places;
}

std::vector<CodeAddress> addresses_of(const std::vector<Place>& places) {
  std::vector<CodeAddress> addresses;
  for (const Place& place : places) addresses.push_back(place.address);
  return addresses;
}

class Sample : public testing::TestWithParam<const char*> {
 protected:
  bool is(const char* word) const {
    return std::string(GetParam()).find(word) != std::string::npos;
  }
  bool in_library(const Place& place) const {
    return place.address.module.find("libsample.so") != std::string::npos;
  }
  std::string source_of(const Place& place) const {
    if (in_library(place)) return "sample_library.c";
    return GetParam()[1] == 'c' ? "sample.cc" : "sample.c";
  }
  // What must be said of a place: its beginning, or all of it.
  std::string expected(const Place& place) const {
    if (is("debug") || is("separate")) {
      return source_of(place) + ":" + place.line + " (" + place.function + ")";
    }
    if (is("symbols") && place.symbol.empty()) return place.function + "+0x";
    if (is("symbols") || (in_library(place) && !place.symbol.empty())) {
      return place.symbol + "+0x";
    }
    // Functions without an exported name, in the library behind some that have
    // one.
    return in_library(place) ? "near library_" : "sample+0x";
  }

  const std::string program_ =
      std::string(POPRT_SAMPLES "/") + GetParam() + "/sample";
};

TEST_P(Sample, IsNamed) {
  const std::vector<Place> places = places_of(program_);
  ASSERT_GE(places.size(), 8u);
  const std::vector<std::string> names =
      source_locations(addresses_of(places), kLong, POPRT_LOCATIONS);
  for (size_t i = 0; i < places.size(); ++i) {
    const std::string wanted = expected(places[i]);
    EXPECT_EQ(wanted, wanted.back() == ')' ? names[i]
                                           : names[i].substr(0, wanted.size()))
        << i << ": " << names[i] << ", offset " << places[i].address.offset;
  }
}

TEST_P(Sample, HasTheSameAddressesInEveryProcess) {
  EXPECT_EQ(addresses_of(places_of(program_)),
            addresses_of(places_of(program_)));
}

INSTANTIATE_TEST_SUITE_P(
    Locations, Sample,
    testing::Values("c-gcc-debug", "c-clang-debug", "c-clang-symbols",
                    "c-clang-stripped", "c-clang-separate", "cc-gcc-debug",
                    "cc-gcc-symbols", "cc-gcc-fixed-debug", "cc-clang-debug",
                    "cc-clang-symbols", "cc-clang-split-debug",
                    "cc-clang-fixed-debug", "cc-clang-fixed-stripped"));

// /proc/self/exe is the dynamic linker here.
TEST(ProgramOfALinkersCommand, HasItsOwnAddresses) {
  const std::string program = POPRT_SAMPLES "/c-clang-debug/sample";
  EXPECT_EQ(addresses_of(places_of(program)),
            addresses_of(places_of("/lib64/ld-linux-x86-64.so.2 " + program)));
}

}  // namespace
}  // namespace poprt
