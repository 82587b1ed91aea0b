// The JSON Schema of the run file, from the tables that to_json() writes it
// from: a member or a metric more is in both.
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "model/members.h"
#include "model/metric_table.h"
#include "report/run_file_schema.h"
#include "report/writers.h"

namespace poprt {
namespace {

using Json = nlohmann::ordered_json;

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

// All keys are required; later minor versions may have others.
Json object(const Json& properties) {
  Json json = type("object");
  json["properties"] = properties;
  json["required"] = Json::array();
  for (const auto& item : properties.items()) {
    json["required"].push_back(item.key());
  }
  return json;
}

template <class Totals, size_t kCount>
void add_members(const Member<Totals> (&members)[kCount], Json* properties) {
  for (const Member<Totals>& member : members) {
    (*properties)[member.name] = type("integer");
  }
}

Json properties_of(std::initializer_list<const char*> keys, const Json& value) {
  Json properties;
  for (const char* const key : keys) properties[key] = value;
  return properties;
}

Json object_or_null(const Json& properties) {
  Json json = object(properties);
  json["type"] = Json::array({"object", "null"});
  return json;
}

Json run_schema() {
  Json run;
  run["program"] = type("string");
  run["command"] = list_of(type("string"));
  run["start_time"] = type("string");
  run["ranks"] = type("integer");
  run["threads"] = type("integer");
  run["threads_per_process"] =
      object(properties_of({"min", "max"}, type("integer")));
  Json host;
  host["name"] = type("string");
  host["processes"] = type("integer");
  run["hosts"] = list_of(object(host));
  run["mpi"] = object_or_null(
      properties_of({"library", "thread_level"}, type("string")));
  run["openmp"] = object_or_null(properties_of({"runtime"}, type("string")));
  run["unseen_openmp"] = type("boolean");
  run["clock"] = type("string");
  run["imported_from"] = or_null("string");
  // The program's keys.
  run["metadata"] = type("object");
  run["metadata"]["additionalProperties"] = type("string");
  return object(run);
}

Json quality_schema() {
  Json quality;
  quality["overhead_ns"] = type("integer");
  quality["overhead_fraction"] = or_null("number");
  add_members(kQualityMembers, &quality);
  quality["notes"] = list_of(type("string"));
  return object(quality);
}

Json region_schema() {
  Json region;
  region["name"] = type("string");
  for (const char* const key :
       {"processes", "threads", "visits", "visits_max", "elapsed_max_ns"}) {
    region[key] = type("integer");
  }
  region["clocks_complete"] = type("boolean");
  region["clocks"] = object(properties_of(
      {"cue_ns", "com_ns", "comp_ns", "coo_ns", "all_ns"}, or_null("integer")));
  Json accumulators;
  add_members(kRegionMembers, &accumulators);
  Json node;
  node["host"] = type("string");
  node["processes"] = type("integer");
  node["not_mpi_sum_ns"] = type("integer");
  accumulators["nodes"] = list_of(object(node));
  region["accumulators"] = object(accumulators);
  Json rows;
  for (const Member<ProcessRow>& member : kRowMembers) {
    rows[member.name] = list_of(type("integer"));
  }
  region["rows"] = object_or_null(rows);
  Json models;
  size_t count;
  const Metric* const table = metric_table(&count);
  for (const Metric* metric = table; metric != table + count; ++metric) {
    models[key_of(metric->model)][metric->key] = or_null("number");
  }
  Json metrics;
  for (const auto& model : models.items()) {
    metrics[model.key()] = object(model.value());
  }
  region["metrics"] = object(metrics);
  return object(region);
}

Json construct_schema(bool tasks) {
  Json construct;
  construct["location"] = or_null("string");
  construct["module"] = or_null("string");
  construct["offset"] = or_null("integer");
  if (tasks) {
    construct["visits"] = type("integer");
    construct["useful_ns"] = type("integer");
  } else {
    add_members(kConstructMembers, &construct);
    for (const char* const key :
         {"contribution", "load_balance", "scheduling_efficiency"}) {
      construct[key] = or_null("number");
    }
  }
  return object(construct);
}

}  // namespace

std::string run_file_schema() {
  Json file;
  file["schema"]["const"] = kSchema;
  file["schema_version"] = type("string");
  file["schema_version"]["pattern"] =
      "^" + std::to_string(kSchemaMajor) + "\\.[0-9]+$";
  file["tool"] = object(properties_of({"name", "version"}, type("string")));
  file["run"] = run_schema();
  file["quality"] = quality_schema();
  file["processes"] = object_or_null(
      properties_of({"rank", "host", "threads"}, list_of(type("integer"))));
  file["regions"] = list_of(region_schema());
  file["parallel_regions"] = list_of(construct_schema(false));
  file["task_constructs"] = list_of(construct_schema(true));

  Json schema;
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "Run file of poprt, version " +
                    std::to_string(kSchemaMajor) + "." +
                    std::to_string(kSchemaMinor);
  schema.update(object(file));
  return schema.dump(1) + "\n";
}

}  // namespace poprt
