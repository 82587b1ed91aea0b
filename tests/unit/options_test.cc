#include "base/options.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "unit/has.h"

namespace poprt {
namespace {

struct Result {
  Options options;
  std::vector<std::string> complaints;
};

Result read(const std::map<std::string, std::string>& variables) {
  Result result;
  std::vector<std::string> names;
  for (const auto& variable : variables) names.push_back(variable.first);
  result.options = read_options(
      [&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
      },
      names, &result.complaints);
  return result;
}

using Complaints = std::vector<std::string>;
using Models = std::vector<Model>;

TEST(Options, HaveDefaults) {
  const Result result = read({});
  EXPECT_TRUE(result.options.text);
  EXPECT_TRUE(result.options.json);
  EXPECT_EQ("", result.options.output);
  EXPECT_EQ(Models{Model::kCriticalPath}, result.options.models);
  EXPECT_TRUE(result.complaints.empty());
}

TEST(Options, TakeTheReportsThatAreListed) {
  EXPECT_TRUE(read({{"POPRT_REPORT", "text"}}).options.text);
  EXPECT_FALSE(read({{"POPRT_REPORT", "text"}}).options.json);
  EXPECT_FALSE(read({{"POPRT_REPORT", "json"}}).options.text);
  EXPECT_TRUE(read({{"POPRT_REPORT", " json, text,"}}).options.text);
  EXPECT_FALSE(read({{"POPRT_REPORT", "none"}}).options.text);
  EXPECT_FALSE(read({{"POPRT_REPORT", "none"}}).options.json);
  EXPECT_TRUE(read({{"POPRT_REPORT", "none"}}).complaints.empty());
}

TEST(Options, AnEmptyValueIsTheDefault) {
  const Result result = read(
      {{"POPRT_REPORT", ""}, {"POPRT_MODEL", " , "}, {"POPRT_OUTPUT", ""}});
  EXPECT_TRUE(result.options.text && result.options.json);
  EXPECT_EQ(Models{Model::kCriticalPath}, result.options.models);
  EXPECT_TRUE(result.complaints.empty());
}

TEST(Options, TakeModelsInTheOrderGivenAndOnce) {
  EXPECT_EQ((Models{Model::kTalp, Model::kPop}),
            read({{"POPRT_MODEL", "talp,pop,talp"}}).options.models);
  EXPECT_EQ(
      (Models{Model::kCriticalPath, Model::kMultiplicative, Model::kAdditive}),
      read({{"POPRT_MODEL", "critpath,mult,add"}}).options.models);
  EXPECT_EQ((Models{Model::kPop, Model::kCriticalPath, Model::kMultiplicative,
                    Model::kAdditive, Model::kTalp, Model::kComputation,
                    Model::kIo, Model::kMpiTime, Model::kWaiting}),
            read({{"POPRT_MODEL", "all"}}).options.models);
}

TEST(Options, AskForTheLongestPath) {
  EXPECT_FALSE(read({}).options.path.waiting);
  EXPECT_FALSE(read({}).options.path.followed());
  EXPECT_TRUE(read({{"POPRT_PATH", "waiting"}}).options.path.waiting);
  EXPECT_FALSE(read({{"POPRT_PATH", "none"}}).options.path.waiting);
  EXPECT_EQ(1u, read({{"POPRT_PATH", "none,waiting"}}).complaints.size());
  const PathChoice all =
      read({{"POPRT_PATH", "regions,without:a b,c,ranks,without:waiting"}})
          .options.path;
  EXPECT_TRUE(all.regions && all.ranks && !all.waiting);
  EXPECT_EQ((Complaints{"a b", "c", "waiting"}), all.without);
  EXPECT_FALSE(all.constructs);
  const PathChoice constructs =
      read({{"POPRT_PATH", "constructs"}}).options.path;
  EXPECT_TRUE(constructs.regions && constructs.constructs);
}

TEST(Options, RefuseALongestPathThatCannotBeFollowed) {
  EXPECT_EQ(Complaints{"poprt: POPRT_PATH=region is unknown; the default "
                       "\"none\" is used. Did you mean \"regions\"?"},
            read({{"POPRT_PATH", "region"}}).complaints);
  EXPECT_EQ(Complaints{"poprt: POPRT_PATH=without: which region? without:NAME; "
                       "the default \"none\" is used."},
            read({{"POPRT_PATH", "without:"}}).complaints);
  EXPECT_EQ(
      Complaints{"poprt: POPRT_PATH=without:a,b,c,d,e: more than 4 regions "
                 "are left out; the default \"none\" is used."},
      read({{"POPRT_PATH", "without:a,b,c,d,e"}}).complaints);
  EXPECT_FALSE(read({{"POPRT_PATH", "without:"}}).options.path.followed());
}

TEST(Options, SayHowOftenTotalsAreKept) {
  constexpr int64_t kMillisecond = 1'000'000;
  const auto ns = [](const char* value) {
    const Result result = read({{"POPRT_CHECKPOINT", value}});
    EXPECT_TRUE(result.complaints.empty()) << value;
    return result.options.checkpoint_ns;
  };
  EXPECT_EQ(10'000 * kMillisecond, read({}).options.checkpoint_ns);
  EXPECT_EQ(10'000 * kMillisecond, ns(""));
  EXPECT_EQ(0, ns("off"));
  EXPECT_EQ(50 * kMillisecond, ns("50ms"));
  EXPECT_EQ(30'000 * kMillisecond, ns("30"));
  EXPECT_EQ(30'000 * kMillisecond, ns("30s"));
  EXPECT_EQ(120'000 * kMillisecond, ns("2min"));
  for (const char* bad : {"0", "-5s", "9ms", "5h", "ten", "1.5s", "10 s", "s",
                          "1441min", "99999999999999999999s"}) {
    const Result result = read({{"POPRT_CHECKPOINT", bad}});
    EXPECT_EQ(10'000 * kMillisecond, result.options.checkpoint_ns) << bad;
    ASSERT_EQ(1u, result.complaints.size()) << bad;
    EXPECT_EQ("poprt: POPRT_CHECKPOINT=" + std::string(bad) +
                  " is neither off nor a time from 10ms to 1440min, such as "
                  "10s; it has no effect.",
              result.complaints[0]);
  }
}

TEST(Options, AskForCounters) {
  EXPECT_TRUE(read({}).options.counters.empty());
  EXPECT_TRUE(read({{"POPRT_COUNTERS", "none"}}).options.counters.empty());
  EXPECT_EQ((std::vector<std::string>{"default", "perf::TASK-CLOCK:u=1"}),
            read({{"POPRT_COUNTERS", "default, perf::TASK-CLOCK:u=1"}})
                .options.counters);
  EXPECT_EQ(Complaints{"poprt: POPRT_COUNTERS=none,default contradicts itself; "
                       "it has no effect."},
            read({{"POPRT_COUNTERS", "none,default"}}).complaints);
}

TEST(Options, AskForPosixIo) {
  EXPECT_FALSE(read({}).options.posix_io);
  EXPECT_FALSE(read({{"POPRT_IO", "mpi"}}).options.posix_io);
  EXPECT_TRUE(read({{"POPRT_IO", "posix"}}).options.posix_io);
  EXPECT_TRUE(read({{"POPRT_IO", "mpi,posix"}}).options.posix_io);
  EXPECT_EQ(1u, read({{"POPRT_IO", "stdio"}}).complaints.size());
}

TEST(Options, AskForAllThreads) {
  EXPECT_FALSE(read({}).options.all_threads);
  EXPECT_FALSE(read({{"POPRT_THREADS", "openmp"}}).options.all_threads);
  EXPECT_TRUE(read({{"POPRT_THREADS", "all"}}).options.all_threads);
  EXPECT_EQ(1u, read({{"POPRT_THREADS", "al"}}).complaints.size());
  const auto both = read({{"POPRT_THREADS", "all,openmp"}});
  EXPECT_FALSE(both.options.all_threads);
  EXPECT_EQ(1u, both.complaints.size());
}

TEST(Options, AskForDevices) {
  EXPECT_TRUE(read({}).options.openmp_devices);
  EXPECT_TRUE(read({{"POPRT_DEVICES", "openmp"}}).options.openmp_devices);
  EXPECT_FALSE(read({{"POPRT_DEVICES", "none"}}).options.openmp_devices);
  EXPECT_FALSE(read({}).options.cuda_devices);
  const Options cuda =
      read({{"POPRT_DEVICES", "cuda"}, {"POPRT_CUPTI", "/opt/libcupti.so"}})
          .options;
  EXPECT_TRUE(cuda.cuda_devices);
  EXPECT_FALSE(cuda.openmp_devices);
  EXPECT_EQ("/opt/libcupti.so", cuda.cupti);
  const Options two = read({{"POPRT_DEVICES", "openmp,cuda"}}).options;
  EXPECT_TRUE(two.openmp_devices && two.cuda_devices);
  const Result unknown = read({{"POPRT_DEVICES", "openmp,cude"}});
  EXPECT_TRUE(unknown.options.openmp_devices);
  EXPECT_EQ(Complaints{"poprt: POPRT_DEVICES=openmp,cude: \"cude\" is unknown; "
                       "the default \"openmp\" is used. Did you mean "
                       "\"cuda\"?"},
            unknown.complaints);
  const Result both = read({{"POPRT_DEVICES", "none,openmp"}});
  EXPECT_TRUE(both.options.openmp_devices);
  EXPECT_EQ(1u, both.complaints.size());
}

TEST(Options, AskForRowsOfProcesses) {
  EXPECT_FALSE(read({}).options.rows);
  EXPECT_FALSE(read({{"POPRT_ROWS", "none"}}).options.rows);
  EXPECT_TRUE(read({{"POPRT_ROWS", "process"}}).options.rows);
  const Result both = read({{"POPRT_ROWS", "none,process"}});
  EXPECT_FALSE(both.options.rows);
  EXPECT_EQ(1u, both.complaints.size());
}

TEST(Options, APathMayHaveCommasAndBlanks) {
  EXPECT_EQ("a, b/%a", read({{"POPRT_OUTPUT", "a, b/%a"}}).options.output);
  EXPECT_EQ("/dev/stdout", read({{"POPRT_OUTPUT", "-"}}).options.output);
}

RegionSelection regions(const std::string& value) {
  const Result result = read({{"POPRT_REGIONS", value}});
  EXPECT_EQ(Complaints{}, result.complaints) << value;
  return result.options.regions;
}

TEST(Options, SelectAllRegionsByDefault) {
  EXPECT_TRUE(read({}).options.regions.selects_all());
  EXPECT_TRUE(regions("").selects_all());
  EXPECT_TRUE(regions(" , ").selects_all());
  EXPECT_TRUE(regions("").selects("solve"));
}

TEST(Options, SelectRegionsThatAreIncludedAndNotExcluded) {
  const RegionSelection selection =
      regions("exclude:*init, include:solve*,pre?? ,include:solve init");
  EXPECT_FALSE(selection.selects_all());
  EXPECT_TRUE(selection.selects("solve"));
  EXPECT_TRUE(selection.selects("solve.inner"));
  EXPECT_TRUE(selection.selects("pre12"));
  EXPECT_FALSE(selection.selects("pre1"));
  EXPECT_FALSE(selection.selects("pre123"));
  EXPECT_FALSE(selection.selects("Solve"));
  EXPECT_FALSE(selection.selects("resolve"));
  EXPECT_FALSE(selection.selects("solve init"));
  EXPECT_FALSE(selection.selects("exchange"));
}

TEST(Options, SelectAllRegionsButThoseThatAreExcluded) {
  const RegionSelection selection = regions("exclude:a*b*c,exclude:*.io.*");
  EXPECT_TRUE(selection.selects("solve"));
  EXPECT_FALSE(selection.selects("abc"));
  EXPECT_FALSE(selection.selects("a-bcb-c"));
  EXPECT_TRUE(selection.selects("a-bcb-"));
  EXPECT_FALSE(selection.selects("x.io.y"));
  EXPECT_TRUE(selection.selects(".io"));
  EXPECT_TRUE(selection.selects(""));
}

TEST(Options, TakeANameWithColonsAsAPattern) {
  EXPECT_TRUE(regions("Solver::*").selects("Solver::step"));
  EXPECT_TRUE(regions("include:phase: 2").selects("phase: 2"));
  EXPECT_FALSE(regions("exclude:Solver::step").selects("Solver::step"));
}

TEST(Options, NameAWordOfTheRegionsThatIsNoneAndSelectAll) {
  const Result result = read({{"POPRT_REGIONS", "include:a,exlude:init"}});
  EXPECT_EQ(Complaints{"poprt: POPRT_REGIONS=include:a,exlude:init: "
                       "\"exlude:init\" is neither include:PATTERN nor "
                       "exclude:PATTERN; it has no effect."},
            result.complaints);
  EXPECT_TRUE(result.options.regions.selects_all());
  for (const char* wrong : {"include:", "exclude:", "exclude :a", ":"}) {
    EXPECT_EQ(1u, read({{"POPRT_REGIONS", wrong}}).complaints.size()) << wrong;
  }
}

TEST(Options, NameABadValueAndTheNearestGoodOneAndKeepTheDefault) {
  const Result result = read({{"POPRT_REPORT", "txt"}});
  EXPECT_EQ(Complaints{"poprt: POPRT_REPORT=txt is unknown; the default "
                       "\"text,json\" is used. Did you mean \"text\"?"},
            result.complaints);
  EXPECT_TRUE(result.options.text && result.options.json);
}

TEST(Options, NameTheBadWordOfAList) {
  const Result result = read({{"POPRT_MODEL", "pop,TLAP"}});
  EXPECT_EQ(
      Complaints{"poprt: POPRT_MODEL=pop,TLAP: \"TLAP\" is unknown; the "
                 "default \"critical_path\" is used. Did you mean \"talp\"?"},
      result.complaints);
  EXPECT_EQ(Models{Model::kCriticalPath}, result.options.models);
}

TEST(Options, ListWhatIsValidWhereNothingIsNear) {
  EXPECT_EQ(Complaints{"poprt: POPRT_REPORT=yes is unknown; the default "
                       "\"text,json\" is used. Valid: text, json, none."},
            read({{"POPRT_REPORT", "yes"}}).complaints);
}

TEST(Options, NoneWithAnotherReportContradictsItself) {
  const Result result = read({{"POPRT_REPORT", "none,text"}});
  ASSERT_EQ(1u, result.complaints.size());
  EXPECT_HAS(result.complaints[0], "contradicts itself; the default");
  EXPECT_TRUE(result.options.json);
}

TEST(Options, NameAnUnknownVariableAndTheNearestOne) {
  EXPECT_EQ(Complaints{"poprt: POPRT_REPROT is unknown and has no effect. Did "
                       "you mean \"POPRT_REPORT\"?"},
            read({{"POPRT_REPROT", "text"}}).complaints);
  EXPECT_EQ(
      Complaints{
          "poprt: POPRT_FOO is unknown and has no effect. Valid: "
          "POPRT_REPORT, POPRT_OUTPUT, POPRT_MODEL, "
          "POPRT_REGIONS, POPRT_ROWS, POPRT_COUNTERS, "
          "POPRT_IO, POPRT_THREADS, POPRT_DEVICES, POPRT_CUPTI, POPRT_PATH, "
          "POPRT_WINDOWS, POPRT_CALLS, POPRT_CHECKPOINT."},
      read({{"POPRT_FOO", "text"}}).complaints);
}

TEST(Options, ComplainInOneLineWhateverTheValue) {
  const Result result =
      read({{"POPRT_REPORT", "a\nb\x1b" + std::string(10000, 'x')}});
  ASSERT_EQ(1u, result.complaints.size());
  EXPECT_EQ(std::string::npos, result.complaints[0].find_first_of("\n\x1b"));
  EXPECT_LT(result.complaints[0].size(), 250u);
}

std::string path(const std::string& output, bool directory = false) {
  return run_file_path(output, directory, "lulesh", 64, "12", "n1", 77);
}

TEST(RunFilePath, IsProgramRanksAndThreadsByDefault) {
  EXPECT_EQ("lulesh-64x12.poprt.json", path(""));
}

TEST(RunFilePath, IsTheFileItselfWhereThatIsJson) {
  EXPECT_EQ("a/b.json", path("a/b.json"));
  EXPECT_EQ("a/%a.json", path("a/%a.json"));
}

TEST(RunFilePath, IsTheDefaultNameInADirectory) {
  EXPECT_EQ("runs/lulesh-64x12.poprt.json", path("runs", true));
  EXPECT_EQ("runs/lulesh-64x12.poprt.json", path("runs/", true));
  EXPECT_EQ("runs/lulesh-64x12.poprt.json", path("runs/"));
  EXPECT_EQ("x.json/lulesh-64x12.poprt.json", path("x.json", true));
}

TEST(RunFilePath, IsATemplateOtherwise) {
  EXPECT_EQ("runs/lulesh.poprt.json", path("runs/%a"));
  EXPECT_EQ("lulesh_64_12_77_n1_%.poprt.json", path("%a_%r_%t_%p_%h_%%"));
  EXPECT_EQ("%z%.poprt.json", path("%z%"));
}

TEST(RunFilePath, IsNeverInAnotherFolderThanAsked) {
  EXPECT_EQ("a_b-1x1.poprt.json",
            run_file_path("", false, "a/b", 1, "1", "", 1));
}

// The name of a file has at most 255 bytes, and space for a number.
TEST(RunFilePath, LongNamesAreCutAtACharacter) {
  const auto path = [](const std::string& output, const std::string& program) {
    return run_file_path(output, false, program, 4, "2", "n1", 7);
  };
  const std::string end = "-4x2.poprt.json";
  const size_t most = 250 - end.size();
  EXPECT_EQ(std::string(most, 'x') + end, path("", std::string(300, 'x')));
  EXPECT_EQ("d/" + std::string(most, 'x') + end,
            path("d/", std::string(300, 'x')));
  EXPECT_EQ("r/" + std::string(237, 'x') + "-4.poprt.json",
            path("r/%a-%r", std::string(300, 'x')));
  // Three bytes each; none is cut in two.
  std::string euros;
  for (int i = 0; i < 100; ++i) euros += "\xe2\x82\xac";
  EXPECT_EQ(euros.substr(0, most / 3 * 3) + end, path("", euros));
  const std::string fits(most, 'y');
  EXPECT_EQ(fits + end, path("", fits));
  // Nothing can be done about the user's own words.
  const std::string own = std::string(300, 'o') + ".json";
  EXPECT_EQ(own, path(own, "x"));
}

TEST(OptionTexts, AreOnOneLineAndTheirDefaultsAreValid) {
  ASSERT_FALSE(option_texts().empty());
  for (const OptionText& text : option_texts()) {
    EXPECT_EQ(0u, text.name.rfind("POPRT_", 0)) << text.name;
    EXPECT_FALSE(text.help.empty()) << text.name;
    EXPECT_EQ(std::string::npos, text.help.find('\n')) << text.name;
    EXPECT_LACKS(text.help, "  ") << text.name;
    EXPECT_EQ("", option_mistake(text.name, text.fallback)) << text.name;
  }
}

TEST(OptionMistake, IsSaidWithoutADefaultThatWouldBeTaken) {
  EXPECT_EQ("txt is unknown. Did you mean \"text\"?",
            option_mistake("POPRT_REPORT", "txt"));
  EXPECT_EQ("none,text contradicts itself.",
            option_mistake("POPRT_REPORT", "none,text"));
  EXPECT_EQ("", option_mistake("POPRT_OUTPUT", "any, thing"));
  EXPECT_EQ("", option_mistake("POPRT_MODEL", "mult"));
}

}  // namespace
}  // namespace poprt
