// The JSON Schema of the run file, from the description that it is written by.
#include "run_file/schema.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "run_file/json_document.h"
#include "run_file/keys.h"

namespace poprt {
namespace {

Json type(const char* name) {
  Json json;
  json["type"] = name;
  return json;
}

Json or_null(const char* name) {
  Json json;
  json["type"] = Json::array({name, "null"});
  return json;
}

Json list_of(Json items) {
  Json json = type("array");
  json["items"] = std::move(items);
  return json;
}

// All keys are required. Later minor versions may have more.
Json object_of(const Json& properties) {
  Json json = type("object");
  json["properties"] = properties;
  json["required"] = Json::array();
  for (const auto& item : properties.items()) {
    json["required"].push_back(item.key());
  }
  return json;
}

Json object_or_null_of(const Json& properties) {
  Json json = object_of(properties);
  json["type"] = Json::array({"object", "null"});
  return json;
}

// The user chooses the counters.
Json by_counter(Json value) {
  Json json = type("object");
  json["additionalProperties"] = std::move(value);
  return json;
}

class ColumnSchemas {
 public:
  template <class Member>
  void column(const char* key, Member) {
    properties[key] = list_of(type("integer"));
  }
  template <class Member>
  void column_if_known(const char* key, Member, int64_t) {
    properties[key] = list_of(or_null("integer"));
  }
  template <class Member>
  void time_in(State state, bool, const char* key, Member) {
    integers_since(entry_of(state).since, key);
  }
  template <class Member>
  void quantity(const std::string& key, const Quantity& quantity, Member) {
    integers_since(since_of(quantity), key.c_str());
  }
  template <class Member>
  void amounts(const std::string& key, const char*, Member member) {
    column(key.c_str(), member);
  }
  template <class Member>
  void counters(const char* key, Member) {
    properties[key] = by_counter(list_of(type("integer")));
  }
  template <class Member>
  void cpus(const char* key, Member) {
    properties[key] = list_of(type("string"));
  }
  template <class Member>
  void host_column(const char* key, Member member) {
    column(key, member);
  }

  Json properties;

 private:
  // Null where an older file was read and written again.
  void integers_since(unsigned since, const char* key) {
    Json numbers = list_of(type("integer"));
    if (since > 0) numbers["type"] = Json::array({"array", "null"});
    properties[key] = std::move(numbers);
  }
};

// Puts the schemas of what it visits into the properties that it is at.
class SchemaWriter {
 public:
  explicit SchemaWriter(Json* properties) : at_(properties) {}

  void text(const char* key, const std::string&) {
    (*at_)[key] = type("string");
  }
  void texts(const char* key, const std::vector<std::string>&) {
    (*at_)[key] = list_of(type("string"));
  }
  void flag(const char* key, bool) { (*at_)[key] = type("boolean"); }
  void count(const char* key, int64_t) { (*at_)[key] = type("integer"); }
  void count_or_null(const char* key, int64_t) {
    (*at_)[key] = or_null("integer");
  }
  void amount(const char* key, const std::vector<Amount>&) {
    (*at_)[key] = or_null("integer");
  }
  void integer(const char* key, int64_t) { (*at_)[key] = type("integer"); }
  void time_in(State state, const char* key, int64_t) {
    (*at_)[key] =
        entry_of(state).since > 0 ? or_null("integer") : type("integer");
  }
  void integer_in(State state, const char* key, int64_t value) {
    time_in(state, key, value);
  }
  bool knows(State) { return true; }
  bool lacks(const char*, unsigned) { return false; }
  bool lacks(const char*, const char*, unsigned) { return false; }
  void counters(const char* key, const std::vector<Amount>&) {
    (*at_)[key] = by_counter(type("integer"));
  }
  void cpus(const char* key, const CpuSet&) { (*at_)[key] = type("string"); }
  void cpu_sets(const char* key, const std::vector<CpuSet>&) {
    (*at_)[key] = type("string");
  }
  template <class Names>
  void amounts(const char* key, const std::vector<Amount>& amounts,
               const Names& names) {
    object_or_null(key, true, [&] {
      for (const auto* const each : names) {
        amount(each->name, amounts);
      }
    });
  }
  void computed(const char* key, int64_t) { (*at_)[key] = type("integer"); }
  void computed_or_null(const char* key, bool, int64_t) {
    (*at_)[key] = or_null("integer");
  }
  void number(const char* key, double) { (*at_)[key] = or_null("number"); }
  void text_or_null(const char* key, const std::string&) {
    (*at_)[key] = or_null("string");
  }
  // The keys are the program's.
  void texts_by_key(const char* key, const std::vector<Metadata>&) {
    (*at_)[key] = type("object");
    (*at_)[key]["additionalProperties"] = type("string");
  }
  void host(const char* key, uint64_t) { (*at_)[key] = type("string"); }

  template <class Describe>
  void object(const char* key, Describe describe) {
    (*at_)[key] = object_of(properties(describe));
  }
  template <class Describe>
  void computed_object(const char* key, Describe describe) {
    object(key, describe);
  }
  template <class Make>
  void computed_text(const char* key, Make) {
    (*at_)[key] = type("string");
  }
  template <class Item, class Make, class Describe>
  void computed_list(const char* key, Make, Describe describe) {
    list(key, std::vector<Item>(), describe);
  }
  template <class Describe>
  void object_or_null(const char* key, bool, Describe describe) {
    (*at_)[key] = object_or_null_of(properties(describe));
  }
  template <class Item, class Describe>
  void list(const char* key, const std::vector<Item>&, Describe describe) {
    const Item item{};
    (*at_)[key] = list_of(object_of(properties([&] { describe(item); })));
  }
  template <class Item, class Describe>
  void columns(const char* key, const std::vector<Item>&, Describe describe) {
    ColumnSchemas columns;
    describe(columns);
    (*at_)[key] = object_or_null_of(columns.properties);
  }
  template <class Describe>
  void constructs(const char* key,
                  const std::vector<ConstructReport>& constructs, bool,
                  Describe describe) {
    list(key, constructs, describe);
  }
  void code_place(const std::string&, const std::string&, uint64_t) {
    (*at_)["location"] = or_null("string");
    (*at_)["module"] = or_null("string");
    (*at_)["offset"] = or_null("integer");
  }
  void done(const RegionReport&) {}

 private:
  template <class Describe>
  Json properties(Describe describe) {
    Json properties;
    Json* const outer = std::exchange(at_, &properties);
    describe();
    at_ = outer;
    return properties;
  }

  Json* at_;
};

}  // namespace

std::string run_file_schema() {
  Json file;
  file["schema"]["const"] = kSchema;
  file["schema_version"] = type("string");
  file["schema_version"]["pattern"] =
      "^" + std::to_string(kSchemaMajor) + "\\.[0-9]+$";
  Json tool;
  tool["name"] = type("string");
  tool["version"] = type("string");
  file["tool"] = object_of(tool);
  SchemaWriter writer(&file);
  const JobReport any{};
  describe_run_file(writer, any);

  Json schema;
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "Run file of poprt, version " + schema_version();
  schema.update(object_of(file));
  return schema.dump(1) + "\n";
}

}  // namespace poprt
