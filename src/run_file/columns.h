// Lists of items that a run file has as columns.
#ifndef POPRT_RUN_FILE_COLUMNS_H_
#define POPRT_RUN_FILE_COLUMNS_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/quantities.h"
#include "model/totals.h"
#include "run_file/json_document.h"

namespace poprt {

// Reads the columns of one object of a run file. All are
// as long as the first. The sum of a column fits into 64 bits.
template <class Item>
class ColumnReader {
 public:
  ColumnReader(const Cursor& columns, const std::vector<HostShare>& hosts,
               std::vector<Item>* items)
      : columns_(columns), hosts_(hosts), items_(items) {}

  void column(const char* key, int64_t Item::*member) {
    const std::vector<int64_t> values = read(key);
    for (size_t i = 0; i < values.size(); ++i) (*items_)[i].*member = values[i];
  }

  void time_in(State, bool known, const char* key, int64_t Item::*member) {
    if (known) column(key, member);
  }

  // Null stands for `unknown`.
  void column_if_known(const char* key, int64_t Item::*member,
                       int64_t unknown) {
    const std::vector<int64_t> values = read(columns_[key], &unknown);
    for (size_t i = 0; i < values.size(); ++i) (*items_)[i].*member = values[i];
  }

  void amounts(const std::string& key, const char* name,
               std::vector<Amount> Item::*member) {
    const std::vector<int64_t> values = read(key.c_str());
    for (size_t i = 0; i < values.size(); ++i) {
      set_amount(name, values[i], &((*items_)[i].*member));
    }
  }

  // Null: a file without the quantity was read and written again.
  void quantity(const std::string& key, const Quantity& quantity,
                std::vector<Amount> Item::*member) {
    if (since_of(quantity) > 0 && columns_[key.c_str()].is_null()) return;
    amounts(key, quantity.name, member);
  }

  // An object of such columns.
  void counters(const char* key, std::vector<Amount> Item::*member) {
    columns_[key].for_each_member(
        [&](const std::string& counter, const Cursor& column) {
          const std::vector<int64_t> values = read(column);
          const std::string name = counter_amount(counter);
          for (size_t i = 0; i < values.size(); ++i) {
            set_amount(name, values[i], &((*items_)[i].*member));
          }
        });
  }

  // A column of sets of processors, as texts.
  void cpus(const char* key, CpuSet Item::*member) {
    size_t count = 0;
    columns_[key].for_each([&](const Cursor& value) {
      CpuSet cpus;
      value.expect(parse_cpu_set(value.string(), &cpus),
                   "is not a list of cores, as 0-3,8");
      if (count < items_->size()) (*items_)[count].*member = std::move(cpus);
      ++count;
    });
    columns_[key].expect(count == items_->size(),
                         "is not as long as the column of ranks");
  }

  // A column of indices into run.hosts.
  void host_column(const char* key, uint64_t Item::*member) {
    const std::vector<int64_t> indices = read(key);
    const auto known = static_cast<int64_t>(hosts_.size());
    columns_[key].expect(
        std::ranges::all_of(indices, [&](int64_t i) { return i < known; }),
        "has a host that is not in run.hosts");
    if (!columns_.ok()) return;
    std::vector<uint64_t> keys;
    for (const HostShare& host : hosts_) {
      keys.push_back(text_hash(host.name.data(), host.name.size()));
    }
    for (size_t i = 0; i < indices.size(); ++i) {
      (*items_)[i].*member = keys[static_cast<size_t>(indices[i])];
    }
  }

 private:
  // As many numbers as there are items; zeros after a complaint.
  std::vector<int64_t> read(const char* key) { return read(columns_[key]); }
  std::vector<int64_t> read(const Cursor& cursor,
                            const int64_t* null = nullptr) {
    std::vector<int64_t> values = cursor.counts(null);
    if (is_first_) {
      if (cursor.ok()) items_->resize(values.size());
    } else if (values.size() != items_->size()) {
      cursor.expect(false, "has " + std::to_string(values.size()) +
                               " items; rank has " +
                               std::to_string(items_->size()));
    }
    is_first_ = false;
    values.resize(items_->size());
    double sum = 0;
    for (const int64_t value : values) sum += static_cast<double>(value);
    cursor.expect(sum < static_cast<double>(kLargestInteger),
                  "has a sum out of range");
    return values;
  }

  const Cursor& columns_;
  const std::vector<HostShare>& hosts_;
  std::vector<Item>* const items_;
  bool is_first_ = true;
};

}  // namespace poprt

#endif  // POPRT_RUN_FILE_COLUMNS_H_
