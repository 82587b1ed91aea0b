#include "page/script_engine.h"

#include <gtest/gtest.h>

#include "unit/has.h"

namespace poprt {
namespace {

// poprt-figures.so is in no folder where this program looks.
TEST(ScriptEngine, WhyThereIsNoneIsSaidEachTime) {
  const std::string why = why_no_script_engine();
  EXPECT_HAS(why, "poprt-figures.so");
  EXPECT_EQ(why, why_no_script_engine());
}

}  // namespace
}  // namespace poprt
