// The run file.  Keys and their order: keys.h; what they mean:
// docs/file_format.md.
#include "run_file/writer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "document/escaped_json.h"
#include "run_file/json_document.h"
#include "run_file/keys.h"
#include "run_file/schema.h"

namespace poprt {
namespace {

// Places of hosts in JobTotals::hosts, by the key of their names.
using HostIndex = std::map<uint64_t, size_t>;

// A list of items as an object of columns.
template <class Item>
class ColumnWriter {
 public:
  ColumnWriter(const std::vector<Item>& items, const HostIndex& hosts,
               Json* columns)
      : items_(items), hosts_(hosts), columns_(columns) {}

  void column(const char* key, int64_t Item::*member) {
    Json& column = (*columns_)[key];
    for (const Item& item : items_) column.push_back(item.*member);
  }
  void column_if_known(const char* key, int64_t Item::*member,
                       int64_t unknown) {
    Json& column = (*columns_)[key];
    for (const Item& item : items_) {
      const int64_t value = item.*member;
      column.push_back(value == unknown ? Json() : Json(value));
    }
  }
  void time_in(State, bool known, const char* key, int64_t Item::*member) {
    (*columns_)[key] = nullptr;
    if (known) column(key, member);
  }
  void amounts(const std::string& key, const char* name,
               std::vector<Amount> Item::*member) {
    Json& column = (*columns_)[key];
    for (const Item& item : items_) {
      column.push_back(amount(item.*member, name));
    }
  }
  void quantity(const std::string& key, const Quantity& quantity,
                std::vector<Amount> Item::*member) {
    (*columns_)[key] = nullptr;
    const bool is_known = std::ranges::any_of(items_, [&](const Item& item) {
      return has_amount(item.*member, quantity.name);
    });
    if (is_known || since_of(quantity) == 0) {
      amounts(key, quantity.name, member);
    }
  }
  void counters(const char* key, std::vector<Amount> Item::*member) {
    Json counters = Json::object();
    for (size_t i = 0; i < items_.size(); ++i) {
      for_each_counter(items_[i].*member,
                       [&](std::string_view counter, int64_t value) {
                         Json& column = counters[std::string(counter)];
                         if (column.is_null()) {
                           column = std::vector<int64_t>(items_.size());
                         }
                         column[i] = value;
                       });
    }
    (*columns_)[key] = std::move(counters);
  }
  void cpus(const char* key, CpuSet Item::*member) {
    Json& column = (*columns_)[key];
    for (const Item& item : items_) column.push_back(cpu_list(item.*member));
  }
  void host_column(const char* key, uint64_t Item::*member) {
    Json& column = (*columns_)[key];
    for (const Item& item : items_) {
      const auto host = hosts_.find(item.*member);
      column.push_back(host == hosts_.end() ? 0 : host->second);
    }
  }

 private:
  const std::vector<Item>& items_;
  const HostIndex& hosts_;
  Json* const columns_;
};

// Puts what it visits into the object that it is at.
class Writer {
 public:
  Writer(const JobTotals& job, Json* file) : job_(job), at_(file) {
    for (size_t i = 0; i < job.hosts.size(); ++i) {
      const std::string& name = job.hosts[i].name;
      hosts_[text_hash(name.data(), name.size())] = i;
    }
  }

  void text(const char* key, const std::string& value) { put(key, value); }
  void texts(const char* key, const std::vector<std::string>& value) {
    put(key, value);
  }
  void flag(const char* key, bool value) { put(key, value); }
  void count(const char* key, int64_t value) { put(key, value); }
  void count_or_null(const char* key, int64_t value) {
    put(key, value == 0 ? Json(nullptr) : Json(value));
  }
  void amount(const char* key, const std::vector<Amount>& amounts) {
    put(key, has_amount(amounts, key) ? Json(poprt::amount(amounts, key))
                                      : Json(nullptr));
  }
  void integer(const char* key, int64_t value) { put(key, value); }
  void counters(const char* key, const std::vector<Amount>& amounts) {
    Json counters = Json::object();
    for_each_counter(amounts, [&](std::string_view counter, int64_t value) {
      counters[std::string(counter)] = value;
    });
    put(key, std::move(counters));
  }
  void cpus(const char* key, const CpuSet& value) { put(key, cpu_list(value)); }
  void cpu_sets(const char* key, const std::vector<CpuSet>& value) {
    put(key, cpu_lists(value));
  }
  template <class Names>
  void amounts(const char* key, const std::vector<Amount>& amounts,
               const Names& names) {
    const bool is_any_known =
        std::ranges::any_of(names, [&](const auto* const each) {
          return has_amount(amounts, each->name);
        });
    object_or_null(key, is_any_known, [&] {
      for (const auto* const each : names) {
        amount(each->name, amounts);
      }
    });
  }
  void time_in(State state, const char* key, int64_t value) {
    computed_or_null(key, knows(state), value);
  }
  void integer_in(State state, const char* key, int64_t value) {
    computed_or_null(key, knows(state), value);
  }
  bool knows(State state) const { return is_known(job_, state); }
  bool lacks(const char*, unsigned) { return false; }
  bool lacks(const char*, const char*, unsigned) { return false; }
  void computed(const char* key, int64_t value) { put(key, value); }
  void computed_or_null(const char* key, bool known, int64_t value) {
    put(key, known ? Json(value) : Json(nullptr));
  }
  void number(const char* key, double value) {
    put(key, std::isfinite(value) ? Json(value) : Json(nullptr));
  }
  void text_or_null(const char* key, const std::string& value) {
    put(key, value.empty() ? Json(nullptr) : Json(value));
  }
  void texts_by_key(const char* key, const std::vector<Metadata>& entries) {
    // Keys differ, and there may be many: they are not looked for.
    Json::object_t object;
    for (const Metadata& entry : entries) {
      object.emplace_back(entry.key, entry.value);
    }
    put(key, std::move(object));
  }
  // The name of a host; its key in digits if no host has it.
  void host(const char* key, uint64_t host) {
    const auto found = hosts_.find(host);
    put(key, found == hosts_.end() ? std::to_string(host)
                                   : job_.hosts[found->second].name);
  }

  template <class Describe>
  void object(const char* key, Describe describe) {
    put(key, filled(describe));
  }
  template <class Describe>
  void computed_object(const char* key, Describe describe) {
    object(key, describe);
  }
  template <class Make>
  void computed_text(const char* key, Make make) {
    text(key, make());
  }
  template <class Item, class Make, class Describe>
  void computed_list(const char* key, Make make, Describe describe) {
    list(key, make(), describe);
  }
  template <class Describe>
  void object_or_null(const char* key, bool present, Describe describe) {
    put(key, present ? filled(describe) : Json(nullptr));
  }
  template <class Item, class Describe>
  void list(const char* key, const std::vector<Item>& items,
            Describe describe) {
    Json list = Json::array();
    for (const Item& item : items) {
      list.push_back(filled([&] { describe(item); }));
    }
    put(key, std::move(list));
  }
  template <class Item, class Describe>
  void columns(const char* key, const std::vector<Item>& items,
               Describe describe) {
    Json columns;
    if (!items.empty()) {
      ColumnWriter<Item> writer(items, hosts_, &columns);
      describe(writer);
    }
    put(key, std::move(columns));
  }
  template <class Describe>
  void constructs(const char* key,
                  const std::vector<ConstructReport>& constructs, bool tasks,
                  Describe describe) {
    Json list = Json::array();
    for (const ConstructReport& each : constructs) {
      if (each.totals.is_task != tasks) continue;
      list.push_back(filled([&] { describe(each); }));
    }
    put(key, std::move(list));
  }
  void code_place(const std::string& location, const std::string& module,
                  uint64_t offset) {
    const bool rest = module.empty();
    put("location", rest ? Json(nullptr) : Json(location));
    put("module", rest ? Json(nullptr) : Json(module));
    put("offset", rest ? Json(nullptr) : Json(offset));
  }
  void done(const RegionReport&) {}

 private:
  void put(const char* key, Json value) { (*at_)[key] = std::move(value); }

  template <class Describe>
  Json filled(Describe describe) {
    Json object = Json::object();  // also if it has no keys
    Json* const outer = std::exchange(at_, &object);
    describe();
    at_ = outer;
    return object;
  }

  const JobTotals& job_;
  HostIndex hosts_;
  Json* at_;
};

}  // namespace

std::string to_json(const JobReport& report) {
  Json json;
  json["schema"] = kSchema;
  json["schema_version"] = schema_version();
  json["tool"]["name"] = "poprt";
  json["tool"]["version"] = POPRT_VERSION;
  Writer writer(report.totals, &json);
  describe_run_file(writer, report);
  // Names come from the program and need not be UTF-8.
  return escaped_json(json.dump(1, ' ', /*ensure_ascii=*/false,
                                Json::error_handler_t::replace)) +
         "\n";
}

}  // namespace poprt
