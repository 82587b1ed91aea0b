// A document in each format, whatever its content.
#include "document/render.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "unit/has.h"

namespace poprt {
namespace {

TableCell percent_of(double value, Grade grade) {
  return {CellUnit::kPercent, value, "", grade};
}

// Two columns and one that stands apart.
Table small_table() {
  Table table = {Table::Kind::kRegions};
  table.title = "Model, %";
  table.columns = {{"Global"}, {"a|b"}, {"lost"}};
  table.last_is_apart = true;
  table.apart = "lost: %";
  table.rows = {{"run time",
                 {{CellUnit::kNs, 1.5e9}, {CellUnit::kNs, 2e6}, {}},
                 0,
                 "run_time_ns"},
                {"Parallel Efficiency",
                 {percent_of(0.5, Grade::kPoor),
                  {CellUnit::kPercent, std::nan(""), "", Grade::kNone, "why"},
                  percent_of(0.5, Grade::kNone)},
                 0,
                 "parallel_efficiency"},
                {"OpenMP Communication Efficiency",
                 {percent_of(0.75, Grade::kAttention),
                  {CellUnit::kPercent, 1.25, "", Grade::kGood, "it can"},
                  percent_of(0.25, Grade::kNone)},
                 1,
                 "openmp_communication_efficiency"}};
  table.rows.back().short_label = "OpenMP Communication";
  return table;
}

Document small_document() {
  Document document = {"app <1>", {{"2 ranks", "1 s elapsed", "overhead"}}};
  document.blocks = {
      small_table(),
      Bars{"Where it went", {{"useful", 0.75, 750}, {"MPI", 0.25, 250}}},
      Findings{{{"One thing."}, {"Another."}}, "poprt explain x"},
      FactList{{{"Note", "look out"}}}};
  return document;
}

TEST(RenderText, LaysOutAllKindsOfBlocks) {
  EXPECT_EQ(
      "\n" + left("== poprt " POPRT_VERSION " == app <1> ", 80, '=') +
          "\n"
          " 2 ranks                                      1 s elapsed"
          "               overhead\n"
          "\n"
          " Model, %                                                           "
          "   "
          "  lost: %\n"
          "                                       Global               a|b    "
          "lost\n"
          " run time                              1.500 s          2.000 ms\n"
          " Parallel Efficiency                     50.0 x              -[1]  "
          "50.0\n"
          "   OpenMP Communication                  75.0 !          125.0[2]  "
          "25.0\n"
          "\n"
          " [1] why\n"
          " [2] it can\n"
          "\n"
          " Where it went\n"
          "   useful                 75.0 %  ##############################\n"
          "   MPI                    25.0 %  ##########\n"
          "\n"
          " Main finding  One thing. Another.\n"
          " Try next      poprt explain x\n"
          "\n"
          " Note  look out\n" +
          std::string(80, '=') + "\n\n",
      render_text(small_document()));
}

TEST(RenderText, ColoursGradesAndNothingElse) {
  const std::string text = render_text(small_document(), {.color = true});
  EXPECT_HAS(text, "\x1b[31m50.0 x\x1b[0m");
  EXPECT_HAS(text, "\x1b[33m75.0 !\x1b[0m");
  EXPECT_HAS(text, "\x1b[32m125.0[2]\x1b[0m");
  EXPECT_HAS(text, " 1.500 s ");
  EXPECT_HAS(text, " -[1]  50.0\n");
}

TEST(RenderText, ContinuesTablesThatAreTooWide) {
  Table table = {Table::Kind::kRuns};
  table.region = "solve";
  table.title = "POP, %";
  TableRow row = {"Parallel Efficiency", {}, 0, "parallel_efficiency"};
  for (int i = 0; i < 8; ++i) {
    table.columns.push_back({std::to_string(i + 1) + "x4"});
    row.cells.push_back(percent_of(0.9, Grade::kGood));
  }
  table.rows = {row};
  const std::string text = block_text(table);
  EXPECT_EQ(
      " solve: POP, %\n"
      "                                1x4     2x4     3x4     4x4     5x4   "
      "  6x4\n"
      " Parallel Efficiency           90.0    90.0    90.0    90.0    90.0   "
      " 90.0\n"
      "\n"
      " solve: POP, %\n"
      "                                7x4     8x4\n"
      " Parallel Efficiency           90.0    90.0\n",
      text);
}

TEST(RenderText, PutsListsBelowTheirTitlesAndSaysWhatColumnsMean) {
  Table table;
  table.title = "Things by cost";
  table.columns = {{"visits"}, {"time", "mean"}, {"each", "mean"}};
  table.rows = {{"a thing with a long name",
                 {{CellUnit::kCount, 12}, {CellUnit::kNs, 5e3}, {}}},
                {"and 3 between"}};
  table.more = "and 2 more";
  EXPECT_EQ(
      " Things by cost                    visits       time  each\n"
      " a thing with a long name              12   5.000 us\n"
      "     and 3 between\n"
      " and 2 more\n"
      " (time, each: mean)\n",
      block_text(table));
}

TEST(RenderText, MarksFactsAndKeepsLongLines) {
  FactList list = {{{"MPI", "found", Grade::kAttention}}, true};
  list.facts.push_back({"", "load it", Grade::kNone, "-> "});
  EXPECT_EQ(" ! MPI  found\n        -> load it\n", block_text(list));
  FactList long_one = {
      {{"FAIL", std::string(60, 'a') + " " + std::string(60, 'b'),
        Grade::kPoor}}};
  long_one.wraps = false;
  const std::string text = block_text(long_one);
  EXPECT_EQ(text.size() - 1, text.find('\n'));
}

TEST(RenderMarkdown, LaysOutAllKindsOfBlocks) {
  EXPECT_EQ(
      "## app \\<1\\>\n"
      "\n"
      "2 ranks; 1 s elapsed; overhead\n"
      "\n"
      "### Model, %\n"
      "\n"
      "| | Global | a\\|b | lost |\n"
      "|---|---:|---:|---:|\n"
      "| run time | 1.500 s | 2.000 ms |  |\n"
      "| Parallel Efficiency | 50.0 x | - | 50.0 |\n"
      "| &emsp;OpenMP Communication Efficiency | 75.0 ! | 125.0 | 25.0 |\n"
      "\n"
      "`-`: why\n"
      "\n"
      "`125.0`: it can\n"
      "\n"
      "lost: %\n"
      "\n"
      "     Where it went\n"
      "       useful                 75.0 %  ##############################\n"
      "       MPI                    25.0 %  ##########\n"
      "\n"
      "     Main finding  One thing. Another.\n"
      "     Try next      poprt explain x\n"
      "\n"
      "- Note: look out\n",
      render_markdown(small_document()));
}

TEST(Renderers, MakeNamesHarmless) {
  Document document = {"a\x1b[31m<b>"};
  document.blocks = {FactList{{{"Note", "\u202e*x*"}}}};
  EXPECT_EQ("## a?\\[31m\\<b\\>\n\n- Note: ?\\*x\\*\n",
            render_markdown(document));
  EXPECT_HAS(render_text(document), " Note  ?*x*\n");
}

}  // namespace
}  // namespace poprt
