#include "measure/process_texts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace poprt {
namespace {

using Kept = ProcessTexts::Kept;

std::vector<std::string> notes_of(const ProcessTexts& texts) {
  std::vector<Metadata> metadata;
  std::vector<std::string> notes;
  texts.copy_to(&metadata, &notes);
  return notes;
}

std::string metadata_of(const ProcessTexts& texts) {
  std::vector<Metadata> metadata;
  std::vector<std::string> notes;
  texts.copy_to(&metadata, &notes);
  std::string all;
  for (const Metadata& each : metadata)
    all += each.key + "=" + each.value + ";";
  return all;
}

TEST(ProcessTexts, NoNoteIsThereTwiceAndOfAKindOnlyTheFirst) {
  ProcessTexts texts;
  texts.note("a");
  texts.note("a");
  texts.note_first("too many '{}'", "x");
  texts.note_first("too many '{}'", "y");
  EXPECT_EQ((std::vector<std::string>{"a", "too many 'x'"}), notes_of(texts));
  for (int i = 0; i < 100; ++i) texts.note(std::to_string(i));
  EXPECT_EQ(ProcessTexts::kMostNotes, notes_of(texts).size());
}

TEST(ProcessTexts, OfMetadataTheLastValueCounts) {
  ProcessTexts texts;
  EXPECT_EQ(Kept::kYes, texts.set_metadata("b", "1"));
  EXPECT_EQ(Kept::kYes, texts.set_metadata("a", "2"));
  EXPECT_EQ(Kept::kYes, texts.set_metadata("b", "3"));
  EXPECT_EQ("a=2;b=3;", metadata_of(texts));
  EXPECT_EQ(Kept::kYes, texts.set_metadata("a", ""));
  EXPECT_EQ(Kept::kYes, texts.set_metadata("never", ""));
  EXPECT_EQ("b=3;", metadata_of(texts));
}

TEST(ProcessTexts, ANewKeyNeedsRoomAndAKnownOneDoesNot) {
  ProcessTexts texts;
  for (size_t i = 0; i < ProcessTexts::kMostMetadata; ++i) {
    ASSERT_EQ(Kept::kYes, texts.set_metadata(std::to_string(i), "v"));
  }
  EXPECT_EQ(Kept::kFull, texts.set_metadata("more", "v"));
  EXPECT_EQ(Kept::kYes, texts.set_metadata("more", ""));
  EXPECT_EQ(Kept::kYes, texts.set_metadata("7", "w"));
  EXPECT_EQ(Kept::kYes, texts.set_metadata("8", ""));
  EXPECT_EQ(Kept::kYes, texts.set_metadata("more", "v"));
}

}  // namespace
}  // namespace poprt
