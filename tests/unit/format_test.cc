#include "document/format.h"

#include <gtest/gtest.h>

#include <cmath>

#include "document/escaped_json.h"
#include "document/shell_word.h"

namespace poprt {
namespace {

TEST(Percent, HasOneDecimal) {
  EXPECT_EQ("83.4", percent(0.8343));
  EXPECT_EQ("0.0", percent(0));
  EXPECT_EQ("100.0", percent(1));
  EXPECT_EQ("104.2", percent(1.0418));
  EXPECT_EQ("-0.3", percent(-0.0029));
  EXPECT_EQ("0.0", percent(-1e-9));
}

TEST(Percent, NeverShowsPerfectionForLess) {
  EXPECT_EQ("99.9", percent(std::nextafter(0.9995, 0)));
  EXPECT_EQ("100.0", percent(0.9995));
}

TEST(Mark, AgreesWithTheNumberShown) {
  EXPECT_EQ(Grade::kGood, grade_of(1));
  EXPECT_EQ(Grade::kGood, grade_of(0.8));
  EXPECT_EQ(Grade::kGood, grade_of(0.79951));  // shown as 80.0
  EXPECT_EQ(Grade::kAttention, grade_of(0.7994));
  EXPECT_EQ(Grade::kAttention, grade_of(0.6));
  EXPECT_EQ(Grade::kPoor, grade_of(0.5994));
  EXPECT_EQ(Grade::kPoor, grade_of(0));
}

TEST(Mark, HasTheThresholdsThatAreGiven) {
  const Thresholds thresholds = {0.5, 0.95};
  EXPECT_EQ(Grade::kGood, grade_of(0.95, thresholds));
  EXPECT_EQ(Grade::kAttention, grade_of(0.9494, thresholds));
  EXPECT_EQ(Grade::kAttention, grade_of(0.5, thresholds));
  EXPECT_EQ(Grade::kPoor, grade_of(0.4994, thresholds));
}

TEST(Duration, HasFourSignificantDigitsAndAUnit) {
  EXPECT_EQ("0 ns", duration(0));
  EXPECT_EQ("999 ns", duration(999));
  EXPECT_EQ("1.000 us", duration(1000));
  EXPECT_EQ("12.35 us", duration(12345));
  EXPECT_EQ("123.5 us", duration(123456));
  EXPECT_EQ("812.3 ms", duration(812345678));
  EXPECT_EQ("41.30 s", duration(41300000000));
  EXPECT_EQ("123457 s", duration(123456789012345));
}

TEST(Duration, RoundsUpToTheNextUnitRatherThanToFiveDigits) {
  EXPECT_EQ("10.00 us", duration(10000));
  EXPECT_EQ("10.00 ms", duration(9999600));
  EXPECT_EQ("1.000 s", duration(999960000));
  EXPECT_EQ("999.9 ms", duration(999940000));
}

TEST(Printable, LeavesTextAloneAndReplacesWhatWouldMoveTheCursor) {
  EXPECT_EQ("\xc3\xa9tat \xe2\x82\xac", printable("\xc3\xa9tat \xe2\x82\xac"));
  EXPECT_EQ("a?b?", printable("a\nb\x1b"));
  EXPECT_EQ("??x", printable("\xff\xc3x"));
  EXPECT_EQ("?", printable("\xc2\x9b"));  // a control sequence introducer
}

TEST(Printable, LeavesNothingThatMovesOrHidesTheTextAround) {
  for (const char* text :
       {"\u202e", "\u2028", "\u2029", "\u2066", "\u2069", "\u200b", "\u200f",
        "\ufeff", "\u061c", "\u00ad", "\U000e0001", "\x7f"}) {
    EXPECT_EQ("a?b", printable(std::string("a") + text + "b")) << text;
  }
  // No characters of UTF-8: an overlong form, a surrogate, one beyond U+10FFFF.
  EXPECT_EQ("???", printable("\xe0\x80\x80"));
  EXPECT_EQ("???", printable("\xed\xa0\x80"));
  EXPECT_EQ("????", printable("\xf4\x90\x80\x80"));
  EXPECT_EQ("\U0001f600\u0645", printable("\U0001f600\u0645"));
}

TEST(Columns, AreThoseOfATerminal) {
  EXPECT_EQ(5u, columns("solve"));
  EXPECT_EQ(4u, columns("\u8a08\u7b97"));  // two wide characters
  EXPECT_EQ(1u, columns("e\u0301"));       // an accent on its own
  EXPECT_EQ(2u, columns("\U0001f600"));
  EXPECT_EQ(1u, columns("\U0001e030"));          // newer than Python's tables
  EXPECT_EQ(2u, columns("\U0001fae8"));          // likewise
  EXPECT_EQ(2u, columns("\u1112\u1161\u11ab"));  // one Korean syllable
  EXPECT_EQ(3u, columns("\uff21z"));
}

TEST(Columns, AlignWhatIsWide) {
  EXPECT_EQ("\u8a08\u7b97  |", left("\u8a08\u7b97", 6) + "|");
  EXPECT_EQ("  \u8a08\u7b97|", right("\u8a08\u7b97", 6) + "|");
  EXPECT_EQ("e\u0301  |", left("e\u0301", 3) + "|");
  // 8 columns; of 7 the head has 3, of which a wide one fills 2.
  const std::string name = "\u8a08\u7b97\u8a08\u7b97";
  EXPECT_EQ("\u8a08..\u7b97", shortened(name, 7));
  EXPECT_EQ(name, shortened(name, 8));
  // An accent stays with its letter.
  EXPECT_EQ("ab..fe\u0301", shortened("abcdefe\u0301", 6));
}

TEST(CsvField, IsNoFormula) {
  for (const char* text : {"=1+1", "+x", "-x", "@sum"}) {
    EXPECT_EQ(std::string("'") + text, csv_field(text));
  }
  EXPECT_EQ("\"'=a,\"\"b\"\"\"", csv_field("=a,\"b\""));
  EXPECT_EQ("a=b", csv_field("a=b"));
  EXPECT_EQ("-", csv_field("-"));  // standard input
  EXPECT_EQ("?=x", csv_field("\t=x"));
}

TEST(Shortened, KeepsBothEnds) {
  EXPECT_EQ("short", shortened("short", 5));
  EXPECT_EQ("Time..nts", shortened("TimeConstraints", 9));
  EXPECT_EQ("\xc3\xa9\xc3\xa9..\xc3\xa9",
            shortened("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 5));
}

TEST(Wrapped, BreaksAtBlanksWithinTheWidth) {
  const std::string text = wrapped(
      " Note  ", std::string(60, 'a') + " " + std::string(20, 'b') + " c");
  EXPECT_EQ(" Note  " + std::string(60, 'a') + "\n       " +
                std::string(20, 'b') + " c\n",
            text);
}

TEST(Listed, HasAnAndBeforeTheLast) {
  EXPECT_EQ("", listed({}));
  EXPECT_EQ("a", listed({"a"}));
  EXPECT_EQ("a and b", listed({"a", "b"}));
  EXPECT_EQ("a, b and c", listed({"a", "b", "c"}));
}

TEST(SomeOf, SaysHowManyItLeavesOut) {
  EXPECT_EQ("", some_of({}, 2));
  EXPECT_EQ("a, b", some_of({"a", "b"}, 2));
  EXPECT_EQ("a, b and 1 more", some_of({"a", "b", "c"}, 2));
  EXPECT_EQ("a and 1 host more", some_of({"a", "b"}, 1, ", ", "host"));
  EXPECT_EQ("a; b; and 2 more", some_of({"a", "b", "c", "d"}, 2, "; "));
}

TEST(Counted, KnowsOneFromMany) {
  EXPECT_EQ("1 rank", counted(1, "rank"));
  EXPECT_EQ("2 processes", counted(2, "process"));
}

TEST(ShellWord, IsQuotedWhereAShellWouldDoMore) {
  EXPECT_EQ("a/b-4x1.poprt.json", shell_word("a/b-4x1.poprt.json"));
  EXPECT_EQ("'evil;rm -rf x.json'", shell_word("evil;rm -rf x.json"));
  EXPECT_EQ("'it'\\''s $(x) `y`'", shell_word("it's $(x) `y`"));
  EXPECT_EQ("''", shell_word(""));
  EXPECT_EQ("'~x'", shell_word("~x"));
  EXPECT_EQ("./-o.json", shell_word("-o.json"));
  EXPECT_EQ("'./-o x'", shell_word("-o x"));
  EXPECT_EQ("-", shell_word("-"));
}

// C1 controls, marks of direction, separators of lines, tags.
TEST(EscapedJson, HasNoCharacterThatSteersATerminal) {
  EXPECT_EQ("\"\\u009b \\u007f \\u202e \\u2028 \\udb40\\udc41\"",
            escaped_json("\"\xc2\x9b \x7f \xe2\x80\xae \xe2\x80\xa8 "
                         "\xf3\xa0\x81\x81\""));
  EXPECT_EQ("{\n \"\xc3\xa9\": \"\xe2\x82\xac\"\n}",
            escaped_json("{\n \"\xc3\xa9\": \"\xe2\x82\xac\"\n}"));
}

}  // namespace
}  // namespace poprt
