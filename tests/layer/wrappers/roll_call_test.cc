// Who of a job answers, and what all of them learn.  Each object is a process.
#include "wrappers/node/roll_call.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "wrappers/node/job_processes.h"

namespace {

using poprt::OneNodeJob;
using poprt::mpi::Roll;
using poprt::mpi::RollCall;
using poprt::mpi::surely_lack_library;

class RollCalls : public testing::Test {
 protected:
  ~RollCalls() override { unlink(path_.c_str()); }

  bool is_there() const { return access(path_.c_str(), F_OK) == 0; }

  const std::string path_ =
      testing::TempDir() + "poprt-roll-" + std::to_string(getpid());
};

TEST_F(RollCalls, FileIsGoneWhenAllHaveAnswered) {
  RollCall first(path_, 0, 2);
  first.answer();
  EXPECT_TRUE(is_there());
  EXPECT_EQ(std::vector{1}, first.ranks(false));
  RollCall second(path_, 1, 2);
  second.answer();
  EXPECT_FALSE(is_there());
  EXPECT_EQ(std::vector<int>{}, first.ranks(false));
  EXPECT_NE(0u, first.job());
  EXPECT_EQ(first.job(), second.job());
}

TEST_F(RollCalls, TheFirstOneDecidesForAll) {
  RollCall first(path_, 0, 3);
  RollCall last(path_, 2, 3);
  first.answer();
  last.answer();
  EXPECT_EQ(Roll::kUndecided, first.decided());
  EXPECT_EQ((std::vector{0, 2}), first.ranks(true));
  first.decide(Roll::kNotKnown);
  last.decide(Roll::kSome);
  EXPECT_EQ(Roll::kNotKnown, last.decided());
}

TEST_F(RollCalls, TheLastOneToLeaveGetsAllTotals) {
  RollCall first(path_, 0, 3);
  RollCall second(path_, 2, 3);
  first.answer();
  second.answer();
  first.hide();
  EXPECT_FALSE(is_there());
  EXPECT_FALSE(second.leave("two"));
  const std::string many(100'000, 'x');
  EXPECT_TRUE(first.leave(many));
  EXPECT_EQ("two", first.left_by(2));
  EXPECT_EQ(many, first.left_by(0));
  EXPECT_EQ("", first.left_by(1));
}

TEST_F(RollCalls, TotalsThatAreTooLongAreMissing) {
  RollCall first(path_, 0, 2);
  first.answer();
  EXPECT_TRUE(first.leave(std::string(9 << 20, 'x')));
  EXPECT_EQ("", first.left_by(0));
}

// /dev/shm is open to everybody.
TEST_F(RollCalls, AFileThatOthersMayHavePutThereIsNotUsed) {
  std::ofstream(path_) << "x";
  chmod(path_.c_str(), 0644);
  EXPECT_FALSE(RollCall(path_, 0, 2).is_possible());
  chmod(path_.c_str(), 0600);
  const std::string other = path_ + "-other";
  ASSERT_EQ(0, link(path_.c_str(), other.c_str()));
  EXPECT_FALSE(RollCall(path_, 0, 2).is_possible());
  EXPECT_EQ(1u, std::filesystem::file_size(other));
  unlink(other.c_str());
  unlink(path_.c_str());
  ASSERT_EQ(0, symlink("/dev/null", path_.c_str()));
  EXPECT_FALSE(RollCall(path_, 0, 2).is_possible());
  unlink(path_.c_str());
  ASSERT_EQ(0, mkfifo(path_.c_str(), 0600));
  EXPECT_FALSE(RollCall(path_, 0, 2).is_possible());
}

TEST_F(RollCalls, WhatCannotBeNeedsNone) {
  EXPECT_FALSE(RollCall(path_, 0, 1).is_possible());
  EXPECT_FALSE(RollCall(path_, 2, 2).is_possible());
  EXPECT_FALSE(RollCall(path_, -1, 2).is_possible());
  EXPECT_FALSE(is_there());
}

// A folder like /proc.
class JobProcesses : public testing::Test {
 protected:
  ~JobProcesses() override { std::filesystem::remove_all(folder_); }

  void process(int number, int parent, const std::string& environment,
               const std::string& maps) {
    const std::string own = folder_ + "/" + std::to_string(number) + "/";
    std::filesystem::create_directories(own);
    std::ofstream(own + "environ") << environment;
    std::ofstream(own + "maps") << maps;
    std::ofstream(own + "stat")
        << number << " (a) b) S " << parent << " 1 1 0 -1";
  }
  static std::string rank(int number, const std::string& job = "7") {
    const std::string text =
        "A=b;OMPI_COMM_WORLD_RANK=" + std::to_string(number) +
        ";OMPI_COMM_WORLD_SIZE=4;"
        "OMPI_COMM_WORLD_LOCAL_SIZE=4;PMIX_NAMESPACE=" +
        job + ";";
    return with_ends(text);
  }
  static std::string with_ends(std::string text) {
    for (char& c : text) c = c == ';' ? '\0' : c;
    return text;
  }
  bool lack(const std::vector<int>& ranks) const {
    return surely_lack_library(job_, 0, ranks, folder_);
  }

  const std::string folder_ =
      testing::TempDir() + "poprt-proc-" + std::to_string(getpid());
  const OneNodeJob job_{0, 4, "7 "};
  static constexpr char kMpi[] = "1-2 r /usr/lib/libmpi.so.40\n";
  static constexpr char kMeasured[] =
      "1-2 r /usr/lib/libmpi.so.40\n3-4 r /opt/lib/libpoprt.so\n";
  static constexpr char kShell[] = "1-2 r /usr/lib/libc.so.6\n";
  static constexpr char kStatic[] = "1-2 r /home/a.out\n";
};

TEST_F(JobProcesses, LackTheLibrary) {
  process(10, 1, rank(2), kMpi);
  process(11, 1, rank(3), kShell);
  process(12, 11, rank(3), kStatic);
  process(13, 1, "", "");  // has ended
  EXPECT_TRUE(lack({2, 3}));
}

TEST_F(JobProcesses, HaveItAndDidNotAnswer) {
  process(10, 1, rank(2), kMpi);
  process(11, 10, rank(2), kMeasured);
  EXPECT_FALSE(lack({2}));
}

TEST_F(JobProcesses, AreNotAllSeen) {
  process(10, 1, rank(2), kMpi);
  EXPECT_FALSE(lack({2, 3}));
  process(11, 1, rank(3), kShell);
  EXPECT_FALSE(lack({2, 3}));
  process(12, 1, rank(3, "8"), kMpi);  // of another job
  EXPECT_FALSE(lack({2, 3}));
  EXPECT_FALSE(surely_lack_library(job_, 0, {2}, folder_ + "/none"));
}

TEST_F(JobProcesses, OfHydraAreBelowItsProxy) {
  const OneNodeJob job{0, 2, ""};
  process(10, 1, "", "");
  process(11, 10, "", kShell);
  process(12, 11, with_ends("PMI_RANK=1;PMI_SIZE=2;MPI_LOCALNRANKS=2;"), kMpi);
  EXPECT_TRUE(surely_lack_library(job, 10, {1}, folder_));
  EXPECT_FALSE(surely_lack_library(job, 9, {1}, folder_));
}

}  // namespace
