// Reads what run_file/keys.h describes.
#ifndef POPRT_RUN_FILE_KEY_READER_H_
#define POPRT_RUN_FILE_KEY_READER_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/quantities.h"
#include "run_file/columns.h"
#include "run_file/json_document.h"

namespace poprt {

// Visits the keys of a run file: takes their values, and leaves out what is
// computed anew.  A key that the file lacks is an error, but of a state that is
// younger than the file; one that is not asked for is not looked at.  What must
// hold for the values of a region or of its rows is checked.
class KeyReader {
 public:
  // `minor`: the file's version.  `job`: what is read is put there.
  KeyReader(const Cursor& file, int minor, JobTotals& job)
      : at_(file), minor_(minor), job_(job) {}

  void text(const char* key, std::string& value) { value = at_[key].string(); }
  void flag(const char* key, bool& value) { value = at_[key].boolean(); }
  void count(const char* key, int64_t& value) { value = at_[key].count(); }
  void count_or_null(const char* key, int64_t& value) {
    if (!at_[key].is_null()) value = at_[key].count();
  }
  void amount(const char* key, std::vector<Amount>& amounts) {
    if (at_[key].is_null()) return;
    set_amount(key, at_[key].count(), &amounts);
  }
  void integer(const char* key, int64_t& value) { value = at_[key].integer(); }
  void time_in(State state, const char* key, int64_t& value) {
    const unsigned since = entry_of(state).since;
    if (lacks(key, since) || (since > 0 && at_[key].is_null())) {
      job_.unknown_states.set(static_cast<size_t>(state));
    } else {
      count(key, value);
    }
  }
  // The same of what may be below 0; without a word on the state.
  void integer_in(State state, const char* key, int64_t& value) {
    const unsigned since = entry_of(state).since;
    if (!lacks(key, since) && !at_[key].is_null()) integer(key, value);
  }
  bool knows(State state) const { return is_known(job_, state); }
  // Whether the file lacks a key that is there since that version.
  bool lacks(const char* key, unsigned since) const {
    return static_cast<int>(since) > minor_ && !at_.has(key);
  }
  // The same of a column.
  bool lacks(const char* columns, const char* key, unsigned since) const {
    return static_cast<int>(since) > minor_ && !at_[columns].has(key);
  }
  void counters(const char* key, std::vector<Amount>& amounts) {
    at_[key].for_each_member(
        [&](const std::string& counter, const Cursor& value) {
          set_amount(counter_amount(counter), value.count(), &amounts);
        });
  }
  void cpus(const char* key, CpuSet& value) {
    at_[key].expect(parse_cpu_set(at_[key].string(), &value),
                    "is not a list of cores, as 0-3,8");
  }
  void cpu_sets(const char* key, std::vector<CpuSet>& value) {
    at_[key].expect(parse_cpu_sets(at_[key].string(), &value),
                    "is not a list of sets of cores, as 0-3 4-7");
  }
  template <class Names>
  void amounts(const char* key, std::vector<Amount>& amounts,
               const Names& names) {
    if (at_[key].is_null()) return;
    at(at_[key], [&] {
      for (const auto* const each : names) {
        amount(each->name, amounts);
      }
    });
  }
  void text_or_null(const char* key, std::string& value) {
    if (!at_[key].is_null()) value = at_[key].string();
  }
  void texts(const char* key, std::vector<std::string>& values);
  void texts_by_key(const char* key, std::vector<Metadata>& entries);
  void host(const char* key, uint64_t& host);
  void code_place(std::string& location, std::string& module,
                  uint64_t& offset) {
    read_place(&location, &module, &offset);
  }
  void done(RegionReport& region);

  void computed(const char*, int64_t) {}
  void computed_or_null(const char*, bool, int64_t) {}
  void number(const char*, double) {}
  template <class Describe>
  void computed_object(const char*, Describe) {}
  template <class Make>
  void computed_text(const char*, Make) {}
  template <class Item, class Make, class Describe>
  void computed_list(const char*, Make, Describe) {}

  template <class Describe>
  void object(const char* key, Describe describe) {
    at(at_[key], describe);
  }
  template <class Describe>
  void object_or_null(const char* key, bool& present, Describe describe) {
    present = !at_[key].is_null();
    if (present) at(at_[key], describe);
  }
  template <class Item, class Describe>
  void list(const char* key, std::vector<Item>& items, Describe describe) {
    at_[key].for_each([&](const Cursor& item) {
      items.emplace_back();
      at(item, [&] { describe(items.back()); });
    });
  }
  template <class Item, class Describe>
  void columns(const char* key, std::vector<Item>& items, Describe describe) {
    if (at_[key].is_null()) return;
    const Cursor columns = at_[key];
    ColumnReader<Item> reader(columns, job_.hosts, &items);
    describe(reader);
    check(columns["rank"], items);
  }
  template <class Describe>
  void constructs(const char* key, std::vector<ConstructReport>& constructs,
                  bool tasks, Describe describe) {
    list(key, constructs, [&](ConstructReport& construct) {
      construct.totals.is_task = tasks;
      describe(construct);
    });
  }

 private:
  void read_place(std::string* location, std::string* module, uint64_t* offset);

  template <class Describe>
  void at(const Cursor& place, Describe describe) {
    const Cursor outer = at_;
    at_ = place;
    describe();
    at_ = outer;
  }

  void check(const Cursor& ranks, const std::vector<ProcessPlace>& places);
  void check(const Cursor& ranks, const std::vector<ProcessRow>& rows);
  void check(const Cursor& ranks, const std::vector<ThreadRow>& rows);
  // `ranks`, those of rows, are among those of processes.
  void check_known(const Cursor& ranks, const std::vector<int64_t>& of_rows);

  Cursor at_;
  const int minor_;
  JobTotals& job_;  // as far as it has been read
  std::set<std::string> host_names_;
};

}  // namespace poprt

#endif  // POPRT_RUN_FILE_KEY_READER_H_
