#include "run_file/key_reader.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <utility>

namespace poprt {
namespace {

// Checks what the model relies on: a region has threads, and its core time is
// in range.
void expect_computable(const RegionTotals& region, const Cursor& accumulators) {
  const auto largest = static_cast<double>(kLargestInteger);
  accumulators.expect(
      static_cast<double>(region.threads) * static_cast<double>(region.all_ns) <
          largest,
      "has a core time (threads x all_ns) out of range");
  double in_all_states = 0;
  for (const State state : kAllStates) {
    in_all_states += static_cast<double>(region.*sum_of(state));
  }
  accumulators.expect(in_all_states < largest,
                      "has a core time (useful, MPI and OpenMP) out of range");
  for (const Quantity* quantity : kQuantities) {
    accumulators.expect(
        !quantity->part_of ||
            amount(region, *quantity) <= region.*sum_of(*quantity->part_of),
        std::string("has more ") + quantity->name + " than it is a part of");
  }
}

constexpr char kNotInOrder[] = "is not in ascending order";
template <class Value>
bool in_order(const std::vector<Value>& values) {
  return std::ranges::adjacent_find(values, std::greater_equal<>()) ==
         values.end();
}

template <class Item>
std::vector<int64_t> ranks_of(const std::vector<Item>& items) {
  std::vector<int64_t> ranks;
  std::ranges::transform(items, std::back_inserter(ranks), &Item::rank);
  return ranks;
}

}  // namespace

void KeyReader::texts(const char* key, std::vector<std::string>& values) {
  at_[key].for_each(
      [&](const Cursor& value) { values.push_back(value.string()); });
}

void KeyReader::texts_by_key(const char* key, std::vector<Metadata>& entries) {
  at_[key].for_each_member([&](const std::string& name, const Cursor& value) {
    entries.push_back({name, value.string(), 0});
  });
}

// The key of a host, which the file names.  If no host has that name, the name
// is the key.
void KeyReader::host(const char* key, uint64_t& host) {
  const std::string name = at_[key].string();
  if (host_names_.empty()) {
    for (const HostShare& each : job_.hosts) host_names_.insert(each.name);
  }
  const char* const end = name.data() + name.size();
  const bool known = host_names_.contains(name);
  const auto number = std::from_chars(name.data(), end, host);
  if (!known && number.ec == std::errc() && number.ptr == end) return;
  host = text_hash(name.data(), name.size());
}

void KeyReader::read_place(std::string* location, std::string* module,
                           uint64_t* offset) {
  const Cursor file = at_["module"];
  if (file.is_null()) return;
  *module = file.string();
  file.expect(!module->empty(), "is empty");
  *offset = at_["offset"].address();
  *location = at_["location"].string();
}

void KeyReader::done(RegionReport& region) {
  RegionTotals& totals = region.totals;
  at_["name"].expect(!totals.name.empty(), "is empty");
  totals.key = text_hash(totals.name.data(), totals.name.size());
  const Cursor accumulators = at_["accumulators"];
  accumulators["processes"].count(1);
  accumulators["threads"].count(totals.processes);
  expect_computable(totals, accumulators);
}

void KeyReader::check(const Cursor& ranks,
                      const std::vector<ProcessPlace>& places) {
  ranks.expect(in_order(ranks_of(places)), kNotInOrder);
  ranks.expect(places.empty() || places.back().rank < job_.processes,
               "has a rank that is not less than run.ranks");
}

void KeyReader::check_known(const Cursor& ranks,
                            const std::vector<int64_t>& of_rows) {
  const std::vector<int64_t> known = ranks_of(job_.places);
  ranks.expect(std::ranges::all_of(of_rows,
                                   [&](int64_t rank) {
                                     return std::ranges::binary_search(known,
                                                                       rank);
                                   }),
               "has a rank that is not in processes.rank");
}

void KeyReader::check(const Cursor& ranks,
                      const std::vector<ProcessRow>& rows) {
  const std::vector<int64_t> own = ranks_of(rows);
  ranks.expect(in_order(own), kNotInOrder);
  check_known(ranks, own);
}

void KeyReader::check(const Cursor& ranks, const std::vector<ThreadRow>& rows) {
  std::vector<std::pair<int64_t, int64_t>> own;
  for (const ThreadRow& row : rows) own.emplace_back(row.rank, row.thread);
  ranks.expect(in_order(own), "and thread are not in ascending order");
  check_known(ranks, ranks_of(rows));
}

}  // namespace poprt
