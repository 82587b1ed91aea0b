#include "session/program_name.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace poprt {
namespace {

// The name from a command line whose words have no blanks.
std::string name_of(const std::string& executable, const std::string& line) {
  std::vector<std::string> words;
  std::stringstream stream(line);
  for (std::string word; stream >> word;) words.push_back(word);
  return program_name(executable, words);
}

TEST(ProgramName, IsTheExecutables) {
  EXPECT_EQ("lulesh2.0", name_of("/opt/lulesh2.0", "./lulesh2.0 -s 45"));
  EXPECT_EQ("Rosetta", name_of("/opt/Rosetta", "Rosetta x.R"));
  EXPECT_EQ("pythonic", name_of("/opt/pythonic", "pythonic x.py"));
  EXPECT_EQ("app", program_name("/opt/app", {}));
}

TEST(ProgramName, IsTheScriptOfPython) {
  const std::string python = "/usr/bin/python3.11";
  EXPECT_EQ("solve.py", name_of(python, "python3 solve.py -n 4"));
  EXPECT_EQ("solve.py", name_of(python, "python3 /home/me/solve.py"));
  EXPECT_EQ("solve.py", name_of(python, "python3 -u -W error -X dev solve.py"));
  EXPECT_EQ("solve.py", name_of(python, "python3 -uWerror solve.py"));
  EXPECT_EQ("solver.main", name_of(python, "python3 -m solver.main x.py"));
  EXPECT_EQ("solver", name_of(python, "python3 -umsolver"));
  EXPECT_EQ("solve.py", name_of(python, "python3 -m mpi4py solve.py"));
  EXPECT_EQ("solve.py", name_of(python, "python3 -m mpi4py.futures solve.py"));
  EXPECT_EQ("solver", name_of(python, "python3 -m mpi4py -m solver"));
  EXPECT_EQ("python3.11", name_of(python, "python3 -c pass solve.py"));
  EXPECT_EQ("python3.11", name_of(python, "python3 -Bc pass solve.py"));
  EXPECT_EQ("python3.11", name_of(python, "python3 -"));
  EXPECT_EQ("python3.11", name_of(python, "python3"));
}

TEST(ProgramName, IsTheScriptOfOtherInterpreters) {
  const std::string r = "/usr/lib/R/bin/exec/R";
  EXPECT_EQ("fit.R", name_of(r, "R --no-echo --no-restore --file=lib/fit.R"));
  EXPECT_EQ("fit.R", name_of(r, "R -f fit.R --args other.R"));
  EXPECT_EQ("R", name_of(r, "R -e 1+1"));
  EXPECT_EQ("R", name_of(r, "R --vanilla --args fit.R"));
  EXPECT_EQ("fit.jl",
            name_of("/opt/bin/julia", "julia -O3 -p 4 --threads 2 fit.jl"));
  EXPECT_EQ("julia", name_of("/opt/bin/julia", "julia -e 1 fit.jl"));
  EXPECT_EQ("fit.pl", name_of("/usr/bin/perl", "perl -w -Mstrict fit.pl"));
  EXPECT_EQ("fit.rb", name_of("/usr/bin/ruby3.1", "ruby -I lib fit.rb"));
  EXPECT_EQ("fit.m", name_of("/usr/bin/octave-cli-7", "octave --path x fit.m"));
  EXPECT_EQ("fit.lua", name_of("/usr/bin/lua5.4", "lua -l x fit.lua"));
  EXPECT_EQ("app", name_of("/lib64/ld-linux-x86-64.so.2",
                           "ld.so --library-path /opt ./app -x"));
}

}  // namespace
}  // namespace poprt
