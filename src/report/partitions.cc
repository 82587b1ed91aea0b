#include "report/partitions.h"

#include <algorithm>
#include <utility>

#include "model/metric_table.h"
#include "report/repeated_rows.h"

namespace poprt {
namespace {

// Whether the row is of a layer of the program, or of devices; false for what
// is no metric.
bool is_of_layer(const Table& table, const TableRow& row) {
  const Metric* const metric = metric_of(table, row);
  return metric != nullptr &&
         (is_of_program(metric->layer) || metric->layer == Layer::kDeviceTime);
}

}  // namespace

Table take_both_layers(Table* table, bool is_red) {
  Table both = *table;
  both.rows.clear();
  std::vector<TableRow> rows;
  for (const TableRow& row : table->rows) {
    if (row.depth == 0 || is_of_layer(*table, row)) {
      rows.push_back(row);
    } else {
      both.rows.push_back(row);
      --both.rows.back().depth;
    }
  }
  const bool are_two =
      !both.rows.empty() && std::ranges::any_of(rows, [](const TableRow& row) {
        return row.depth > 0;
      });
  if (!are_two) return {};
  both.title =
      is_red ? "The same, over all threads" : "The same loss, over all threads";
  both.notes.clear();
  // They come last, below both tables.
  std::swap(both.notes, table->notes);
  table->rows = std::move(rows);
  return both;
}

}  // namespace poprt
