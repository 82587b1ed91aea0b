#include "run_file/schema.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "run_file/json_document.h"
#include "run_file/reader.h"
#include "run_file/writer.h"
#include "unit/sample_reports.h"

namespace poprt {
namespace {

const Json& schema() {
  static const Json parsed = Json::parse(run_file_schema());
  return parsed;
}

Json types_of(const Json& schema) {
  return schema["type"].is_array() ? schema["type"]
                                   : Json::array({schema["type"]});
}

bool has_type(const Json& value, const std::string& type) {
  return (type == "object" && value.is_object()) ||
         (type == "array" && value.is_array()) ||
         (type == "string" && value.is_string()) ||
         (type == "boolean" && value.is_boolean()) ||
         (type == "integer" && value.is_number_integer()) ||
         (type == "number" && value.is_number()) ||
         (type == "null" && value.is_null());
}

// What is wrong with a value; empty where nothing is.  Knows as much of JSON
// Schema as the schema uses, and is stricter: a key that the schema does not
// have is wrong.
std::string wrong_in(const Json& value, const Json& schema,
                     const std::string& path) {
  if (schema.contains("const")) {
    return value == schema["const"] ? "" : path + " is another text";
  }
  bool is_of_type = false;
  for (const Json& type : types_of(schema)) is_of_type |= has_type(value, type);
  if (!is_of_type) return path + " is " + value.dump();
  std::string wrong;
  if (value.is_array()) {
    for (size_t i = 0; i < value.size() && wrong.empty(); ++i) {
      wrong =
          wrong_in(value[i], schema["items"], path + "/" + std::to_string(i));
    }
  } else if (value.is_object()) {
    const Json properties = schema.value("properties", Json::object());
    for (const auto& item : properties.items()) {
      if (!value.contains(item.key())) return path + " lacks " + item.key();
    }
    for (const auto& item : value.items()) {
      const std::string below = path + "/" + item.key();
      const bool is_known = properties.contains(item.key());
      if (!is_known && !schema.contains("additionalProperties")) {
        return below + " is not in the schema";
      }
      wrong = wrong_in(
          item.value(),
          is_known ? properties[item.key()] : schema["additionalProperties"],
          below);
      if (!wrong.empty()) break;
    }
  }
  return wrong;
}

JobReport report_with_all_lists() {
  JobReport report = test::hybrid_report(true);
  ConstructReport parallel;
  parallel.totals.module = "app";
  parallel.location = "a.c:1 (f)";
  ConstructReport task = parallel;
  task.totals.is_task = true;
  report.constructs = {parallel, task};
  report.totals.metadata = {{"mesh", "512"}};
  return report;
}

TEST(RunFileSchema, IsThatOfWhatIsWritten) {
  for (const JobReport& report :
       {report_with_all_lists(), test::hybrid_report(), test::small_report(),
        make_report({}, JobTotals())}) {
    EXPECT_EQ("", wrong_in(Json::parse(to_json(report)), schema(), ""));
  }
}

TEST(RunFileSchema, IsThatOfMeasuredRuns) {
  int runs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           POPRT_SOURCE_DIR "/tests/corpus/runs")) {
    std::string complaint;
    const auto report = read_run_file(entry.path(), &complaint);
    ASSERT_TRUE(report.has_value()) << complaint;
    EXPECT_EQ("", wrong_in(Json::parse(to_json(*report)), schema(), ""))
        << entry.path();
    ++runs;
  }
  EXPECT_LT(40, runs);
}

// The value's own schema refuses other types, and an object of which a key is
// missing; so do those of all below it.
void expect_refusals(const Json& value, const Json& schema,
                     const std::string& path, int* places) {
  ++*places;
  // A number with a fraction is no integer.
  for (const Json& other :
       {Json(true), Json("text"), Json(0.5), Json::array(), Json::object()}) {
    if (value.is_null() || other.type() == value.type()) continue;
    EXPECT_NE("", wrong_in(other, schema, path));
  }
  if (value.is_array() && !value.empty()) {
    expect_refusals(value[0], schema["items"], path + "[]", places);
  }
  if (!value.is_object() || !schema.contains("properties")) return;
  for (const auto& item : value.items()) {
    Json lacking = value;
    lacking.erase(item.key());
    EXPECT_NE("", wrong_in(lacking, schema, path)) << item.key();
    expect_refusals(item.value(), schema["properties"][item.key()],
                    path + "." + item.key(), places);
  }
}

TEST(RunFileSchema, RefusesAnotherTypeAndAKeyThatIsMissing) {
  int places = 0;
  expect_refusals(Json::parse(to_json(report_with_all_lists())), schema(), "",
                  &places);
  EXPECT_LT(400, places);
}

// Where the schema of a value takes null, so does the reader of the file.  Rows
// lack the time in a state only if its total is not known either, which the
// schema cannot tell.
void expect_nulls(Json* file, Json* at, const Json& schema,
                  const std::string& path) {
  const Json kept = std::exchange(*at, nullptr);
  if (wrong_in(*at, schema, path).empty()) {
    std::string complaint;
    EXPECT_EQ(!path.ends_with("rows.accelerator_ns"),
              parse_run_file(file->dump(), "run", &complaint).has_value())
        << complaint;
  }
  *at = kept;
  if (at->is_array() && !at->empty()) {
    expect_nulls(file, &(*at)[0], schema["items"], path + "[]");
  }
  if (!at->is_object() || !schema.contains("properties")) return;
  // These are null together with others.
  const std::set<std::string> together = {"location", "offset", "processes"};
  for (auto& item : at->items()) {
    if (together.contains(item.key())) continue;
    expect_nulls(file, &item.value(), schema["properties"][item.key()],
                 path + "." + item.key());
  }
}

TEST(RunFileSchema, TakesNullOnlyWhereTheReaderDoes) {
  Json file = Json::parse(to_json(report_with_all_lists()));
  expect_nulls(&file, &file, schema(), "");
}

// So that any program that knows JSON Schema understands it.
void expect_well_formed(const Json& schema, const std::string& path) {
  if (schema.contains("const")) return;
  const std::set<std::string> known = {"object", "array",   "string", "boolean",
                                       "number", "integer", "null"};
  bool is_object = false;
  bool is_list = false;
  for (const Json& type : types_of(schema)) {
    EXPECT_TRUE(known.contains(type)) << path;
    is_object |= type == "object";
    is_list |= type == "array";
  }
  EXPECT_EQ(is_list, schema.contains("items")) << path;
  EXPECT_EQ(is_object, schema.contains("properties") !=
                           schema.contains("additionalProperties"))
      << path;
  if (is_list) expect_well_formed(schema["items"], path + "[]");
  if (schema.contains("additionalProperties")) {
    expect_well_formed(schema["additionalProperties"], path + ".*");
  }
  if (!schema.contains("properties")) return;
  Json keys = Json::array();
  for (const auto& item : schema["properties"].items()) {
    keys.push_back(item.key());
    expect_well_formed(item.value(), path + "." + item.key());
  }
  EXPECT_EQ(keys, schema["required"]) << path;
}

TEST(RunFileSchema, IsAJsonSchema) {
  EXPECT_EQ("https://json-schema.org/draft/2020-12/schema",
            schema()["$schema"]);
  EXPECT_EQ("Run file of poprt, version " + schema_version(),
            schema()["title"].get<std::string>());
  EXPECT_EQ("^1\\.[0-9]+$",
            schema()["properties"]["schema_version"]["pattern"]);
  expect_well_formed(schema(), "");
}

}  // namespace
}  // namespace poprt
