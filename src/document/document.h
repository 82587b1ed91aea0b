// A report as values: its content, not its form.  Builders make documents from
// results; each format has one renderer of documents (render.h).
//
// What a reader of documents (a page, a figure) looks for or colours has a key.
// No reader knows a label, a title or a name.
//
// Texts are kept as the program or the user wrote them.  Each renderer escapes
// them for its format.
#ifndef POPRT_DOCUMENT_DOCUMENT_H_
#define POPRT_DOCUMENT_DOCUMENT_H_

#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "document/format.h"

namespace poprt {

// What kind of number a cell has, which decides how it is shown.
enum class CellUnit {
  kText,      // not a number
  kCount,     // "2000"
  kNs,        // a time, shown with a fitting unit: "1.902 s"
  kAmount,    // a large count, with a prefix of the SI: "12.34 G"
  kNumber,    // four digits; its unit is in the row's label: "88.58"
  kFactor,    // "6.20"
  kPercent,   // a fraction in per cent: "83.4"
  kPoints,    // a difference of fractions, in per cent: "+9.9"
  kChange,    // a relative difference: "-11.0 %"
  kRelative,  // the size of a relative difference: "2.0 %"
};

struct TableCell {
  CellUnit unit = CellUnit::kText;
  double value = std::nan("");  // NaN: unknown
  std::string text = "";        // for kText
  Grade grade = Grade::kNone;
  // Why the value is unknown or out of its range.
  std::string reason = "";
  // The true value is this or more: the run was not measured to its end.
  bool is_least = false;
  // The true value is between these, and the value an estimate. NaN: it is no
  // estimate.
  double least = std::nan("");
  double most = std::nan("");
  // Of a percentage: all that is known are these bounds.  They are shown in
  // place of the value where they are more than a point apart: "61 to 63".
  bool is_range = false;
};

struct TableColumn {
  std::string name;
  std::string meaning = "";
  std::string key = "";  // what the column is, where a reader looks for it
  bool is_text = false;  // lists only: names or words, not numbers
};

struct TableRow {
  std::string label;
  // One cell for each column.  A row without cells is a remark between rows.
  std::vector<TableCell> cells = {};
  int depth = 0;  // in the row's hierarchy
  // The name of the metric: "load_balance"; empty if the label is a name.
  std::string key = "";
  bool is_minor = false;  // can be left out if there is little room
  std::string unit = "";  // of cells that are just numbers, as in the label
  // For where there is no room for the label; empty if there is none.
  std::string short_label = "";
};

struct Table {
  // What the columns are: regions of a run, runs, or sides of a comparison.  In
  // a list each column is something else.
  enum class Kind { kRegions, kRuns, kSides, kList };
  Kind kind = Kind::kList;
  std::string region = "";  // if the whole table is of one region
  std::string model = "";   // key of the model of its metrics
  std::string key = "";     // what it is of, where it is of no model
  std::string title = "";
  bool goes_on = false;  // continues the table before it
  std::vector<TableColumn> columns = {};
  std::vector<TableRow> rows = {};
  // Whether the last column is not a region, run or side but belongs to all of
  // them; and its title.
  bool last_is_apart = false;
  std::string apart = "";
  // Text below the table: how many rows are left out, how to read it.
  std::string more = "";
  std::vector<std::string> notes = {};
};

// Parts of a whole.
struct Bar {
  std::string label;
  double part;  // in [0, 1]
  int tenths;   // of a per cent, rounded so that all bars add up to 1000
  std::string key = "";  // "mpi_waiting": of its colour, too
};
struct Bars {
  std::string title;
  std::vector<Bar> bars;
};

// A conclusion of the report, in words, with the numbers on which it rests.
struct Finding {
  std::string sentence;
  std::string region = "";
  // "critical_path.mpi_load_balance"; "" if it is about no metric
  std::string metric = "";
  double value = std::nan("");  // of the metric, else the share of useful time
  double lost = std::nan("");   // share of the region's core time
  std::string advice = "";      // what this run adds to the general advice
};
struct Findings {
  std::vector<Finding> findings;
  std::string next = "";  // a command that tells more
};

// A text with a label.
struct Fact {
  std::string label;  // "" if the text belongs to the label above
  std::string text;
  Grade grade = Grade::kNone;
  std::string lead = "";  // put before the text: "= "
  std::string key = "";   // "note", where a reader looks for it
  bool is_apart = false;  // has a blank line before it
};
struct FactList {
  std::vector<Fact> facts = {};
  bool has_marks = false;  // shows the marks of the facts' grades
  bool wraps = true;       // texts may be broken into lines
};

// Begins a part of a longer document, up to the next section.
struct Section {
  std::string title;
  std::string key = "";
};

// Sentences of their own.
struct Paragraph {
  std::string text;
  // The text says what the reader is to write here.
  bool is_open = false;
};

using Block = std::variant<Table, Bars, Findings, FactList, Section, Paragraph>;

// Whether the block follows the block before it without a blank line.
inline bool goes_on(const Block& block) {
  const auto* const table = std::get_if<Table>(&block);
  return table != nullptr && table->goes_on;
}

struct Document {
  std::string title;
  // Short facts below the title.  Those of one list belong on one line.
  std::vector<std::vector<std::string>> lines = {};
  FactList facts = {};
  std::vector<Block> blocks = {};
};

}  // namespace poprt

#endif  // POPRT_DOCUMENT_DOCUMENT_H_
