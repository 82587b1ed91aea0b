#include <gtest/gtest.h>

extern "C" const char* pop_what_is_wrong();

// What the loader finds that needs a newer glibc is in scripts/check_glibc.py.
TEST(OldGlibcTest, WhatItReplacesWorks) {
  EXPECT_STREQ("", pop_what_is_wrong());
}
