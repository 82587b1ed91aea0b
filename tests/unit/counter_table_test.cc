// The table of processors: what it may say, what becomes of names of sets, and
// that the events of poprt's own table exist.
#include "counter_table/counter_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "model/vectorisation.h"
#include "run_file/json_document.h"

namespace poprt {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string own_table() {
  return text_of(std::string(POPRT_SOURCE_DIR) + "/share/counters.json");
}

std::vector<ProcessorFamily> parsed(const std::string& text) {
  std::string complaint;
  auto table = parse_counter_table(text, &complaint);
  EXPECT_TRUE(table) << complaint;
  return table ? *std::move(table) : std::vector<ProcessorFamily>();
}

std::string table_of(const std::string& families) {
  return R"({"schema": "poprt.counters", "families": [)" + families + "]}";
}

constexpr char kSmall[] =
    R"({"name": "A", "vendor": "V", "family": 6, "models": [1, 2],
        "counters": 2, "instructions": "INS:u=1",
        "sets": {"one": {"fp_scalar": "S"}, "both": {"fp_scalar": "S",
                 "fp_packed": "P:a:cpu=0"}, "again": {"fp_packed": "P"}}})";
constexpr char kOther[] =
    R"({"name": "B", "vendor": "W", "counters": 1,
        "sets": {"wide": {"fp_packed": "Q"}}})";

std::string counters(const std::string& value, const Processor& processor,
                     std::string* unknown) {
  const auto table = parsed(table_of(std::string(kSmall) + "," + kOther));
  return counters_of(value, family_of(table, processor), table, unknown);
}

TEST(CounterTable, ReplacesNamesOfSetsByEvents) {
  const Processor a = {"V", 6, 2};
  std::string unknown;
  EXPECT_EQ("PAPI_TOT_INS=INS:u=1,PAPI_TOT_CYC,fp_scalar=S,fp_packed=P:a:cpu=0",
            counters("both", a, &unknown));
  EXPECT_EQ("PAPI_TOT_INS=INS:u=1,PAPI_TOT_CYC",
            counters("default", a, &unknown));
  // Nothing comes twice, and other words stay.
  EXPECT_EQ(
      "PAPI_L1_DCM,PAPI_TOT_INS=INS:u=1,PAPI_TOT_CYC,fp_scalar=S,multiplex",
      counters("PAPI_L1_DCM, one,default ,multiplex", a, &unknown));
  EXPECT_EQ("none", counters("none", a, &unknown));
  EXPECT_EQ("x=Y:cpu=0", counters("x=Y:cpu=0", a, &unknown));
  // Words that were replaced are not sets any more.
  EXPECT_EQ(counters("both", a, &unknown),
            counters(counters("both", a, &unknown), a, &unknown));
  EXPECT_EQ("", unknown);
}

TEST(CounterTable, LeavesOutSetsOfOtherProcessors) {
  std::string unknown;
  EXPECT_EQ("PAPI_TOT_INS=INS:u=1,PAPI_TOT_CYC",
            counters("wide", {"V", 6, 1}, &unknown));
  EXPECT_EQ("wide", unknown);
  unknown.clear();
  // A processor of no family.
  EXPECT_EQ("default", counters("both", {"V", 6, 3}, &unknown));
  EXPECT_EQ("both", unknown);
  unknown.clear();
  EXPECT_EQ("PAPI_L1_DCM", counters("wide,PAPI_L1_DCM", {}, &unknown));
  EXPECT_EQ("default", counters("default", {}, &unknown));
}

TEST(CounterTable, RunsAllSetsThatAddSomething) {
  const auto table = parsed(table_of(kSmall));
  EXPECT_EQ((std::vector<std::string>{"one", "both"}), sets_for_all(table[0]));
}

TEST(CounterTable, SaysWhatIsWrong) {
  const auto complaint_about = [](const std::string& text) {
    std::string complaint;
    EXPECT_FALSE(parse_counter_table(text, &complaint)) << text;
    return complaint;
  };
  const auto family = [](const std::string& rest) {
    return table_of(R"({"name": "A", )" + rest + "}");
  };
  EXPECT_NE("", complaint_about("{"));
  EXPECT_EQ("the file is no table of counters", complaint_about("{}"));
  EXPECT_EQ("the file is no table of counters",
            complaint_about(R"({"schema": "poprt.run"})"));
  EXPECT_EQ("families is missing",
            complaint_about(R"({"schema": "poprt.counters"})"));
  EXPECT_EQ("families[0].name is missing", complaint_about(table_of("{}")));
  EXPECT_EQ("families[0].counters is more than 14",
            complaint_about(family(R"("counters": 15, "sets": {})")));
  EXPECT_EQ("families[0].sets is missing",
            complaint_about(family(R"("counters": 4)")));
  EXPECT_EQ("families[0].sets.s has more than the family's \"counters\"",
            complaint_about(family(
                R"("counters": 1, "sets": {"s": {"a": "A", "b": "B"}})")));
  EXPECT_EQ(
      "families[0].sets.s.a is no event",
      complaint_about(family(R"("counters": 1, "sets": {"s": {"a": "A,B"}})")));
  EXPECT_EQ(
      "families[0].sets.s.a:b has no name for a counter",
      complaint_about(family(R"("counters": 1, "sets": {"s": {"a:b": "A"}})")));
  EXPECT_EQ("families[0].sets.default has no name for a set",
            complaint_about(
                family(R"("counters": 1, "sets": {"default": {"a": "A"}})")));
  EXPECT_EQ("families[0].models[0] is not an integer",
            complaint_about(family(R"("models": ["a"])")));
}

TEST(Processor, IsWhatCpuinfoSays) {
  const Processor intel = processor_in(
      "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
      "model\t\t: 85\nmodel name\t: Intel(R) Xeon(R)\n\n"
      "processor\t: 1\nvendor_id\t: Other\n");
  EXPECT_EQ("GenuineIntel family 6 model 85", name_of(intel));
  const Processor arm = processor_in(
      "processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\n"
      "CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n");
  EXPECT_EQ("0x41 model 3340", name_of(arm));
  EXPECT_EQ("unknown vendor", name_of(processor_in("")));
  EXPECT_EQ("unknown vendor", name_of(processor_in("model\n model : 3")));
}

TEST(OwnTable, KnowsProcessorsByTheirNumbers) {
  const auto table = parsed(own_table());
  const auto family = [&](const Processor& processor) {
    const ProcessorFamily* const found = family_of(table, processor);
    return found == nullptr ? "" : found->name;
  };
  EXPECT_EQ("Intel Skylake, Cascade Lake", family({"GenuineIntel", 6, 85}));
  EXPECT_EQ("Intel Ice Lake, Sapphire Rapids",
            family({"GenuineIntel", 6, 106}));
  EXPECT_EQ("Intel Ice Lake, Sapphire Rapids",
            family({"GenuineIntel", 6, 143}));
  EXPECT_EQ("AMD Zen 2", family({"AuthenticAMD", 23, 49}));
  EXPECT_EQ("AMD Zen 3", family({"AuthenticAMD", 25, 1}));
  EXPECT_EQ("AMD Zen 4", family({"AuthenticAMD", 25, 17}));
  EXPECT_EQ("ARM Neoverse N1, N2", family({"0x41", -1, 0xd0c}));
  EXPECT_EQ("", family({"GenuineIntel", 6, 45}));
  EXPECT_EQ("", family({"", -1, -1}));
}

TEST(OwnTable, CountsAllEightOnIntelWithAsManyCountersAsThereAre) {
  const auto table = parsed(own_table());
  for (const int64_t model : {85, 106}) {
    const ProcessorFamily* const intel =
        family_of(table, {"GenuineIntel", 6, model});
    ASSERT_NE(nullptr, intel);
    std::set<std::string> counted;
    for (const std::string& name : sets_for_all(*intel)) {
      for (const CounterSet& set : intel->sets) {
        if (set.name != name) continue;
        for (const auto& [counter, event] : set.counters)
          counted.insert(counter);
      }
    }
    EXPECT_EQ(8u, counted.size());
    EXPECT_EQ(model == 85 ? 2u : 1u, sets_for_all(*intel).size());
  }
}

// What PAPI says of this processor, in tests/data/events. Names that begin with
// ':' belong to the event before them.
std::set<std::string> events_of(const std::string& pmu) {
  std::istringstream list(
      text_of(POPRT_SOURCE_DIR "/tests/data/events/" + pmu + ".txt"));
  std::set<std::string> events;
  for (std::string line, event; std::getline(list, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const bool is_part = word.starts_with(':');
      if (!is_part) event = word;
      events.insert(is_part ? event + word : event);
    }
  }
  return events;
}

TEST(OwnTable, HasEventsThatTheProcessorsHave) {
  std::string complaint;
  const auto json = parse_json(own_table(), &complaint);
  ASSERT_TRUE(json) << complaint;
  const auto table = parsed(own_table());
  ASSERT_EQ((*json)["families"].size(), table.size());
  size_t lists = 0;
  for (size_t i = 0; i < table.size(); ++i) {
    for (const auto& pmu : (*json)["families"][i]["pmus"]) {
      const auto events = events_of(pmu.get<std::string>());
      const auto exists = [&](const std::string& event) {
        EXPECT_TRUE(events.contains(event))
            << table[i].name << ", " << pmu << ": " << event;
      };
      const ProcessorFamily& family = table[i];
      exists(family.instructions.empty() ? "PAPI_TOT_INS"
                                         : family.instructions);
      exists(family.cycles.empty() ? "PAPI_TOT_CYC" : family.cycles);
      for (const CounterSet& set : family.sets) {
        for (const auto& [counter, event] : set.counters) exists(event);
      }
      ++lists;
    }
  }
  EXPECT_LE(8u, lists);
}

TEST(OwnTable, NamesCountersThatMetricsAreMadeOf) {
  for (const ProcessorFamily& family : parsed(own_table())) {
    for (const CounterSet& set : family.sets) {
      for (const auto& [counter, event] : set.counters) {
        EXPECT_TRUE(std::ranges::any_of(
            kFloatCounters,
            [&](const FloatCounter& each) { return counter == each.name; }))
            << counter;
      }
    }
  }
}

}  // namespace
}  // namespace poprt
