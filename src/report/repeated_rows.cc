#include "report/repeated_rows.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

#include "document/shown.h"
#include "model/agreement.h"
#include "model/metric_table.h"

namespace poprt {

const Metric* metric_of(const Table& table, const TableRow& row) {
  for (const Metric& each : all_metrics()) {
    if (key_of(each.model) == table.model && each.key == row.key) return &each;
  }
  return nullptr;
}

namespace {

bool say_the_same(const TableRow& a, const TableRow& b) {
  return std::ranges::equal(a.cells, b.cells,
                            [](const TableCell& x, const TableCell& y) {
                              return shown(x).number == shown(y).number;
                            });
}

// Behind the rows below row `i`.
size_t end_below(const std::vector<TableRow>& rows, size_t i) {
  size_t end = i + 1;
  while (end < rows.size() && rows[end].depth > rows[i].depth) ++end;
  return end;
}

// Whether only one layer has rows.
bool has_one_layer(const Table& table) {
  std::set<Layer> layers;
  for (const TableRow& row : table.rows) {
    const Metric* const metric = metric_of(table, row);
    if (metric != nullptr && is_of_program(metric->layer)) {
      layers.insert(metric->layer);
    }
  }
  return layers.size() == 1;
}

// Whether a row of the layer has the numbers of this row of both layers.
bool is_said_by_layer(const Table& table, const TableRow& row) {
  const Metric* const both = metric_of(table, row);
  if (both == nullptr || both->layer != Layer::kAny || both->depth == 0) {
    return false;
  }
  return std::ranges::any_of(table.rows, [&](const TableRow& other) {
    const Metric* const metric = metric_of(table, other);
    return metric != nullptr && metric->layer != Layer::kAny &&
           row_of_both_layers(*metric) == *both && say_the_same(row, other);
  });
}

void leave_out_both_layers(Table* table) {
  std::vector<bool> is_repeated(table->rows.size());
  for (size_t i = table->rows.size(); i-- > 0;) {
    const size_t end = end_below(table->rows, i);
    is_repeated[i] =
        is_said_by_layer(*table, table->rows[i]) &&
        std::all_of(is_repeated.begin() + static_cast<ptrdiff_t>(i) + 1,
                    is_repeated.begin() + static_cast<ptrdiff_t>(end),
                    [](bool each) { return each; });
  }
  std::vector<TableRow> rows;
  for (size_t i = 0; i < table->rows.size(); ++i) {
    if (!is_repeated[i]) rows.push_back(table->rows[i]);
  }
  table->rows = std::move(rows);
}

void leave_out_only_children(Table* table) {
  std::vector<TableRow>& rows = table->rows;
  for (size_t i = 0; i + 1 < rows.size(); ++i) {
    const auto has_equal_child = [&] {
      const size_t child = i + 1;
      return child < rows.size() && rows[child].depth == rows[i].depth + 1 &&
             end_below(rows, child) == end_below(rows, i) &&
             metric_of(*table, rows[i]) != nullptr &&
             metric_of(*table, rows[child]) != nullptr &&
             say_the_same(rows[i], rows[child]);
    };
    while (has_equal_child()) {
      const size_t end = end_below(rows, i);
      for (size_t below = i + 2; below < end; ++below) --rows[below].depth;
      rows.erase(rows.begin() + static_cast<ptrdiff_t>(i) + 1);
    }
  }
}

std::string_view name_of_all_layers(const TableRow& row) {
  std::string_view name = row.label;
  if (name == "Process Efficiency") return "Parallel";
  for (const LayerEntry& layer : kLayerTable) {
    const std::string_view prefix = layer.name;
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  // The additive model's word for MPI.
  constexpr std::string_view kProcess = "Process ";
  if (name.starts_with(kProcess)) name.remove_prefix(kProcess.size());
  name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
  return name.substr(0, name.rfind(" Efficiency"));
}

}  // namespace

bool are_the_same(const Table& a, const Table& b) {
  return std::ranges::is_permutation(
      a.rows, b.rows, [](const TableRow& x, const TableRow& y) {
        return x.depth == y.depth && say_the_same(x, y) &&
               name_of_all_layers(x) == name_of_all_layers(y);
      });
}

void leave_out_repeated(Table* table) {
  if (has_one_layer(*table)) leave_out_both_layers(table);
  leave_out_only_children(table);
}

}  // namespace poprt
