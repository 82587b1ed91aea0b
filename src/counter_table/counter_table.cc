#include "counter_table/counter_table.h"

#include <algorithm>
#include <set>

#include "base/words.h"
#include "run_file/json_document.h"

namespace poprt {
namespace {

constexpr int64_t kMost = 14;  // beside instructions and cycles

// A name that can stand in a comma list before "=", or be a word of its own.
bool is_name(std::string_view text) {
  return !text.empty() &&
         text.find_first_of(" ,:=\t\n") == std::string_view::npos;
}

// An event may have colons and values ("cpu=0"), but is one word of the list.
bool is_event(std::string_view text) {
  return !text.empty() &&
         text.find_first_of(" ,\t\n") == std::string_view::npos;
}

CounterSet read_set(const std::string& name, const Cursor& set,
                    int64_t counters) {
  CounterSet result{name, {}};
  set.expect(is_name(name) && name != "default" && name != "none" &&
                 name != "multiplex" && name != "all-sets",
             "has no name for a set");
  set.for_each_member([&](const std::string& counter, const Cursor& event) {
    event.expect(is_name(counter), "has no name for a counter");
    event.expect(is_event(event.string()), "is no event");
    result.counters.emplace_back(counter, event.string());
  });
  set.expect(!result.counters.empty(), "is empty");
  set.expect(static_cast<int64_t>(result.counters.size()) <= counters,
             "has more than the family's \"counters\"");
  return result;
}

std::string read_event(const Cursor& family, const char* key) {
  if (!family.has(key)) return "";
  const std::string event = family[key].string();
  family[key].expect(is_event(event), "is no event");
  return event;
}

ProcessorFamily read_family(const Cursor& family) {
  ProcessorFamily result;
  result.name = family["name"].string();
  if (family.has("vendor")) result.vendor = family["vendor"].string();
  if (family.has("family")) result.family = family["family"].count();
  if (family.has("models")) result.models = family["models"].counts();
  result.counters = family["counters"].count(1);
  family["counters"].expect(result.counters <= kMost, "is more than 14");
  result.instructions = read_event(family, "instructions");
  result.cycles = read_event(family, "cycles");
  family["sets"].for_each_member(
      [&](const std::string& name, const Cursor& set) {
        result.sets.push_back(read_set(name, set, result.counters));
      });
  return result;
}

const CounterSet* set_named(const ProcessorFamily& family,
                            std::string_view name) {
  for (const CounterSet& set : family.sets) {
    if (set.name == name) return &set;
  }
  return nullptr;
}

std::string assigned(const std::string& name, const std::string& event) {
  return event.empty() || event == name ? name : name + "=" + event;
}

// A comma list in which no word comes twice.
class WordList {
 public:
  void add(const std::string& word) {
    if (!seen_.insert(word).second) return;
    text_ += (text_.empty() ? "" : ",") + word;
  }
  const std::string& text() const { return text_; }

 private:
  std::set<std::string> seen_;
  std::string text_;
};

}  // namespace

std::optional<std::vector<ProcessorFamily>> parse_counter_table(
    std::string_view text, std::string* complaint) {
  const std::optional<Json> json = parse_json(text, complaint);
  if (!json) return std::nullopt;
  complaint->clear();
  std::vector<ProcessorFamily> table;
  const Cursor file(*json, complaint);
  file.expect(file.has("schema") && file["schema"].string() == "poprt.counters",
              "is no table of counters");
  if (file.ok()) {
    file["families"].for_each(
        [&](const Cursor& family) { table.push_back(read_family(family)); });
  }
  if (!complaint->empty()) return std::nullopt;
  return table;
}

const ProcessorFamily* family_of(const std::vector<ProcessorFamily>& table,
                                 const Processor& processor) {
  const auto found = std::ranges::find_if(table, [&](const auto& each) {
    return (each.vendor.empty() || each.vendor == processor.vendor) &&
           (each.family < 0 || each.family == processor.family) &&
           (each.models.empty() ||
            std::ranges::find(each.models, processor.model) !=
                each.models.end());
  });
  return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> sets_for_all(const ProcessorFamily& family) {
  std::vector<std::string> names;
  std::set<std::string> counted;
  for (const CounterSet& set : family.sets) {
    bool adds = false;
    for (const auto& [counter, event] : set.counters) {
      adds |= counted.insert(counter).second;
    }
    if (adds) names.push_back(set.name);
  }
  return names;
}

std::string counters_of(std::string_view value, const ProcessorFamily* family,
                        const std::vector<ProcessorFamily>& table,
                        std::string* unknown) {
  WordList words;
  const auto add_default = [&] {
    if (family == nullptr) return words.add("default");
    words.add(assigned("PAPI_TOT_INS", family->instructions));
    words.add(assigned("PAPI_TOT_CYC", family->cycles));
  };
  for (const std::string& word : words_of(value)) {
    const CounterSet* const set =
        family == nullptr ? nullptr : set_named(*family, word);
    const bool is_set_elsewhere =
        std::ranges::any_of(table, [&](const ProcessorFamily& other) {
          return set_named(other, word) != nullptr;
        });
    if (word == "default") {
      add_default();
    } else if (set != nullptr) {
      add_default();
      for (const auto& [counter, event] : set->counters) {
        words.add(assigned(counter, event));
      }
    } else if (is_set_elsewhere) {
      if (unknown->empty()) *unknown = word;
    } else {
      words.add(word);
    }
  }
  if (words.text().empty() && !unknown->empty()) add_default();
  return words.text();
}

}  // namespace poprt
