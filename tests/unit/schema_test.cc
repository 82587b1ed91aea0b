#include "run_file/schema.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "run_file/writer.h"
#include "unit/sample_reports.h"

namespace poprt {
namespace {

using Json = nlohmann::ordered_json;

bool has_type(const Json& value, const std::string& type) {
  return (type == "object" && value.is_object()) ||
         (type == "array" && value.is_array()) ||
         (type == "string" && value.is_string()) ||
         (type == "boolean" && value.is_boolean()) ||
         (type == "integer" && value.is_number_integer()) ||
         (type == "number" && value.is_number()) ||
         (type == "null" && value.is_null());
}

// Knows as much of JSON Schema as the schema uses, and is stricter: a key that
// the schema does not have is an error.
void expect_valid(const Json& value, const Json& schema,
                  const std::string& path) {
  if (schema.contains("const")) {
    EXPECT_EQ(schema["const"], value) << path;
    return;
  }
  const Json types = schema["type"].is_array() ? schema["type"]
                                               : Json::array({schema["type"]});
  bool valid = false;
  for (const Json& type : types) valid |= has_type(value, type);
  EXPECT_TRUE(valid) << path << " is " << value << ", not " << types;
  if (value.is_array()) {
    for (const Json& item : value) {
      expect_valid(item, schema["items"], path + "[]");
    }
  } else if (value.is_object()) {
    for (const Json& key : schema.value("required", Json::array())) {
      EXPECT_TRUE(value.contains(key.get<std::string>())) << path << key;
    }
    for (const auto& item : value.items()) {
      if (schema.contains("additionalProperties")) {
        expect_valid(item.value(), schema["additionalProperties"],
                     path + '.' + item.key());
        continue;
      }
      ASSERT_TRUE(schema["properties"].contains(item.key()))
          << path << '.' << item.key();
      expect_valid(item.value(), schema["properties"][item.key()],
                   path + '.' + item.key());
    }
  }
}

TEST(RunFileSchema, IsThatOfWhatIsWritten) {
  const Json schema = Json::parse(run_file_schema());
  JobReport tasks = test::hybrid_report();
  ConstructReport parallel;
  parallel.totals.module = "app";
  parallel.location = "a.c:1 (f)";
  ConstructReport task = parallel;
  task.totals.is_task = true;
  tasks.constructs = {parallel, task};
  tasks.totals.metadata = {{"mesh", "512"}};
  for (const JobReport& report :
       {tasks, test::hybrid_report(true), test::small_report(),
        make_report({}, JobTotals())}) {
    expect_valid(Json::parse(to_json(report)), schema, "");
  }
}

}  // namespace
}  // namespace poprt
