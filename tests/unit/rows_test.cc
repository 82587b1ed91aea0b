// Rows of tables that are left out or share a line, and pages wider than usual.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "document/folded_rows.h"
#include "document/format.h"
#include "document/render.h"
#include "report/repeated_rows.h"
#include "unit/has.h"

namespace poprt {
namespace {

TableCell percent_of(double value) {
  return {CellUnit::kPercent, value, "", grade_of(value)};
}

TableCell unknown(const std::string& reason) {
  return {CellUnit::kPercent, std::nan(""), "", Grade::kNone, reason};
}

TableRow row_of(const std::string& label, int depth, const std::string& key,
                const std::vector<double>& values) {
  TableRow row = {label, {}, depth, key};
  for (const double value : values) row.cells.push_back(percent_of(value));
  return row;
}

std::vector<std::string> keys_of(const Table& table) {
  std::vector<std::string> keys;
  for (const TableRow& row : table.rows) {
    keys.push_back(std::string(static_cast<size_t>(row.depth), '.') + row.key);
  }
  return keys;
}

using Keys = std::vector<std::string>;
using Folded = std::vector<bool>;

Table table_of(const std::vector<TableRow>& rows, size_t columns) {
  Table table = {Table::Kind::kRegions};
  table.model = "critical_path";
  table.title = "Model, %";
  for (size_t i = 0; i < columns; ++i) {
    table.columns.push_back({"region" + std::to_string(i + 1)});
  }
  table.rows = rows;
  return table;
}

TEST(FoldedRows, AreThoseThatAreFullOrUnknownInAllColumns) {
  Table table = table_of({row_of("Parallel Efficiency", 0, "a", {1, 1}),
                          row_of("A", 1, "b", {1, 1}),
                          row_of("B", 1, "c", {1, 0.9}),
                          row_of("C", 1, "d", {1, 1}),
                          {"D", {unknown("x"), unknown("x")}, 1, "e"},
                          {"E", {unknown("x"), percent_of(1)}, 1, "f"},
                          {"F", {unknown("x"), unknown("y")}, 0, "g"}},
                         2);
  EXPECT_EQ((Folded{false, true, false, true, true, false, true}),
            folded_rows(table));
}

TEST(FoldedRows, HaveNothingElseBelowThem) {
  const Table table = table_of({row_of("A", 1, "a", {1}),
                                row_of("B", 2, "b", {0.99}),
                                row_of("C", 2, "c", {1}),
                                row_of("D", 1, "d", {1}),
                                {"E", {unknown("x")}, 2, "e"}},
                               1);
  EXPECT_EQ((Folded{false, false, true, true, true}), folded_rows(table));
}

TEST(FoldedRows, AreMoreThanOne) {
  const Table table =
      table_of({row_of("A", 1, "a", {1}), row_of("B", 1, "b", {0.5})}, 1);
  EXPECT_EQ((Folded{false, false}), folded_rows(table));
}

TEST(FoldedRows, LoseNothing) {
  Table table = table_of({row_of("A", 1, "a", {1}), row_of("B", 1, "b", {1}),
                          row_of("C", 1, "c", {1})},
                         1);
  table.columns.push_back({"lost"});
  table.last_is_apart = true;
  for (TableRow& row : table.rows) {
    row.cells.push_back({CellUnit::kPercent, row.key == "b" ? 0.001 : 0});
  }
  EXPECT_EQ((Folded{true, false, true}), folded_rows(table));
}

// In the view of losses 100 % is the worst there is.
TEST(FoldedRows, AreNoLosses) {
  Table table =
      table_of({row_of("A", 1, "a", {1}), row_of("B", 1, "b", {1})}, 1);
  for (TableRow& row : table.rows) row.cells[0].grade = Grade::kPoor;
  EXPECT_EQ((Folded{false, false}), folded_rows(table));
}

// Of what is no efficiency: there was none of it.
TEST(FoldedRows, AreThoseThatAreZeroInAllColumns) {
  const auto row = [](const char* label, const char* key, CellUnit unit,
                      double value, Grade grade = Grade::kNone) {
    return TableRow{label, {{unit, value, "", grade}}, 0, key};
  };
  const Table table =
      table_of({row("calls", "a", CellUnit::kAmount, 0),
                row("bytes, read", "b", CellUnit::kAmount, 0),
                row("share, %", "c", CellUnit::kPercent, 0),
                row("bytes, written", "d", CellUnit::kAmount, 1),
                row("A", "e", CellUnit::kPercent, 0, Grade::kPoor),
                row("run time", "f", CellUnit::kNs, 0)},
               1);
  EXPECT_EQ((Folded{true, true, true, false, false, false}),
            folded_rows(table));
  EXPECT_HAS(block_text(table), "   all 0: calls; bytes, read; share, %\n");
}

TEST(FoldedRows, ShareALineBelowTheTable) {
  TableRow a = row_of("A Efficiency", 1, "b", {1});
  a.short_label = "A";
  const Table table = table_of({row_of("Parallel Efficiency", 0, "a", {0.9}),
                                a,
                                row_of("B", 1, "c", {1}),
                                {"C", {unknown("why")}, 1, "d"},
                                {"D", {unknown("else")}, 1, "e"}},
                               1);
  EXPECT_EQ(
      " Model, %\n"
      "                                      region1\n"
      " Parallel Efficiency                     90.0\n"
      "   all 100.0: A, B\n"
      "   all -[1]: C\n"
      "   all -[2]: D\n",
      block_text(table));
}

TEST(RepeatedRows, OfBothLayersAreLeftOutInAJobOfOneLayer) {
  Table table = table_of(
      {row_of("run time", 0, "run_time_ns", {0.9}),
       row_of("Parallel Efficiency", 0, "parallel_efficiency", {0.54}),
       row_of("Load Balance", 1, "load_balance", {0.6}),
       row_of("Communication", 1, "communication_efficiency", {0.9}),
       row_of("MPI Parallel", 1, "mpi_parallel_efficiency", {0.54}),
       row_of("MPI Load Balance", 2, "mpi_load_balance", {0.6}),
       row_of("MPI Communication", 2, "mpi_communication_efficiency", {0.9})},
      1);
  leave_out_repeated(&table);
  EXPECT_EQ((Keys{"run_time_ns", "parallel_efficiency", ".mpi_load_balance",
                  ".mpi_communication_efficiency"}),
            keys_of(table));
}

TEST(RepeatedRows, StayIfAnyNumberDiffers) {
  const std::vector<TableRow> rows = {
      row_of("Parallel Efficiency", 0, "parallel_efficiency", {0.54, 0.5}),
      row_of("Load Balance", 1, "load_balance", {0.6, 0.5}),
      row_of("MPI Parallel", 1, "mpi_parallel_efficiency", {0.54, 0.4}),
      row_of("MPI Load Balance", 2, "mpi_load_balance", {0.6, 0.4})};
  Table table = table_of(rows, 2);
  leave_out_repeated(&table);
  EXPECT_EQ(4u, table.rows.size());
}

TEST(RepeatedRows, StayInAJobOfBothLayers) {
  Table table = table_of(
      {row_of("Parallel Efficiency", 0, "parallel_efficiency", {0.6}),
       row_of("Load Balance", 1, "load_balance", {0.6}),
       row_of("MPI Parallel", 1, "mpi_parallel_efficiency", {0.6}),
       row_of("MPI Load Balance", 2, "mpi_load_balance", {0.6}),
       row_of("MPI Communication", 2, "mpi_communication_efficiency", {1}),
       row_of("OpenMP Parallel", 1, "openmp_parallel_efficiency", {1})},
      1);
  leave_out_repeated(&table);
  EXPECT_EQ(6u, table.rows.size());
}

TEST(RepeatedRows, BelowARowAreTheOnlyOneThere) {
  Table table =
      table_of({row_of("Lost", 0, "parallel_efficiency_io_lost", {0.5}),
                row_of("File I/O", 1, "file_io_efficiency", {0.9}),
                row_of("MPI-IO", 2, "mpi_io_efficiency", {0.9})},
               1);
  table.model = "io";
  leave_out_repeated(&table);
  EXPECT_EQ((Keys{"parallel_efficiency_io_lost", ".file_io_efficiency"}),
            keys_of(table));
}

TEST(RepeatedRows, OfTwoModelsAreSaidOnce) {
  const auto of = [](const char* layer, double transfer) {
    return table_of(
        {row_of("Parallel Efficiency", 0, "pe", {0.54}),
         row_of(std::string(layer) + "Transfer", 1, "te", {transfer})},
        1);
  };
  EXPECT_TRUE(are_the_same(of("", 0.9), of("MPI ", 0.9)));
  EXPECT_FALSE(are_the_same(of("", 0.9), of("MPI ", 0.8)));
  EXPECT_TRUE(are_the_same(of("MPI ", 0.9), of("Process ", 0.9)));
  EXPECT_FALSE(are_the_same(of("MPI ", 0.9), of("Process ", 0.8)));
  EXPECT_FALSE(are_the_same(of("", 0.9), of("Data ", 0.9)));
  // The additive model has transfer before serialisation.
  const auto two = [](const char* first, const char* second) {
    return table_of(
        {row_of(first, 1, "a", {0.9}), row_of(second, 1, "b", {0.9})}, 1);
  };
  EXPECT_TRUE(are_the_same(two("MPI Transfer", "MPI Serialisation"),
                           two("Process Serialisation", "Process Transfer")));
  EXPECT_FALSE(are_the_same(two("MPI Transfer", "MPI Serialisation"),
                            two("Process Transfer", "Process Transfer")));
}

Table wide_table() {
  Table table = table_of({}, 0);
  TableRow row = {"OpenMP Communication Efficiency",
                  {},
                  2,
                  "openmp_communication_efficiency"};
  for (int i = 0; i < 7; ++i) {
    table.columns.push_back({"a long region " + std::to_string(i)});
    row.cells.push_back(percent_of(0.9));
  }
  table.rows = {row};
  return table;
}

size_t widest_line(const std::string& text) {
  size_t widest = 0;
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    widest = std::max(widest, columns(text.substr(begin, end - begin)));
  }
  return widest;
}

TEST(WidePage, HasRoomForAllColumnsAndNames) {
  const std::string text = block_text(wide_table(), {.width = 300});
  EXPECT_HAS(text, " a long region 0 ");
  EXPECT_HAS(text, "OpenMP Communication Efficiency ");
  EXPECT_EQ(1u + 1 + 1,
            static_cast<size_t>(std::count(text.begin(), text.end(), '\n')))
      << text;
}

TEST(WidePage, IsUsedAsFarAsItGoes) {
  for (const size_t width : {0, 20, 80, 81, 97, 120, 150}) {
    const std::string text = block_text(wide_table(), {.width = width});
    EXPECT_LE(widest_line(text), std::max<size_t>(width, 80)) << text;
  }
  EXPECT_GT(widest_line(block_text(wide_table(), {.width = 120})), 100u);
}

TEST(WidePage, IsNoWiderThanItsTables) {
  Document document = {"app", {{"2 ranks", "1 s elapsed", "overhead"}}};
  document.blocks = {
      table_of({row_of("Parallel Efficiency", 0, "a", {0.9})}, 1)};
  EXPECT_EQ(render_text(document), render_text(document, {.width = 300}));
}

Table list_of(const std::string& label, const std::string& place) {
  Table table;
  table.title = "Things";
  table.columns = {
      {"visits"}, {"time"}, {.name = "place", .is_text = true}, {"in"}};
  table.rows = {{label,
                 {{CellUnit::kCount, 12},
                  {CellUnit::kNs, 5e3},
                  {.text = place},
                  {.text = "7"}}}};
  return table;
}

TEST(Lists, HaveColumnsAsWideAsTheirKindsAndContent) {
  EXPECT_EQ(
      " Things                            visits       time  place  in\n"
      " a thing                               12   5.000 us  here    7\n",
      block_text(list_of("a thing", "here")));
}

// First the room that no label needs, then gaps, then the ends of words.
TEST(Lists, AreNarrowedToThePage) {
  const std::string place(40, 'p');
  std::string text = block_text(list_of("a thing", place));
  EXPECT_HAS(text, " 12   5.000 us  " + place + "   7\n");
  text = block_text(list_of(std::string(18, 'n'), place));
  EXPECT_HAS(text, " 12 5.000 us " + place + "  7\n");
  const std::string name(60, 'n');
  Table table = list_of(name, name);
  text = block_text(table);
  EXPECT_EQ(80u, widest_line(text)) << text;
  EXPECT_HAS(text, "n     12 5.000 us n");
  table.rows[0].short_label = "n";
  text = block_text(table);
  EXPECT_EQ(80u, widest_line(text)) << text;
  EXPECT_HAS(text, "\n n   ");
}

TEST(Lists, HaveATitleThatIsTooLongForTheLabelsInALineOfItsOwn) {
  Table table = list_of("a thing", std::string(40, 'n'));
  table.title = "Things that have a title of some words";
  const std::string text = block_text(table);
  EXPECT_EQ(0u, text.find(" " + table.title + "\n ")) << text;
  EXPECT_EQ(80u, widest_line(text)) << text;
}

TEST(WidePage, ShowsTheNamesOfListsInFull) {
  const std::string name(60, 'n');
  const std::string text = block_text(list_of(name, name), {.width = 300});
  EXPECT_HAS(text, " " + name + "       12 ");
  EXPECT_HAS(text, "  " + name + "   7\n");
}

TEST(WidePage, HasNoLongSentences) {
  Document document = {"app"};
  std::string sentence;
  for (int i = 0; i < 40; ++i) sentence += "words ";
  document.blocks = {wide_table(), Findings{{{sentence}}}};
  const std::string text = render_text(document, {.width = 300});
  const std::string last = text.substr(text.find(" Main finding"));
  EXPECT_LE(widest_line(last.substr(0, last.find('='))), 100u) << text;
}

}  // namespace
}  // namespace poprt
