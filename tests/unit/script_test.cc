#include "launch/loader/script.h"

#include <gtest/gtest.h>

namespace poprt {
namespace {

using Words = std::vector<std::string>;

Words words(std::string_view text, const Environment& environment = {}) {
  return words_of_script(text, "/bin dir/wrap.sh", environment);
}

TEST(WordsOfScript, AreWithoutQuotesAndComments) {
  EXPECT_EQ((Words{"exec", "taskset", "-c", "0", "./a b", "it's"}),
            words("#!/bin/sh\n# numactl ./other\nexec taskset -c 0 \\\n"
                  "  './a b' \"it's\" # ./no\n"));
  EXPECT_EQ((Words{"a", "b", "c", "d#e"}), words("a;b&&c|d#e"));
  EXPECT_EQ((Words{}), words("#!/bin/sh\n"));
  EXPECT_EQ((Words{"open"}), words("'open"));
}

TEST(WordsOfScript, HaveVariablesThatAreKnown) {
  EXPECT_EQ((Words{"exec", "/home/u/app", "/opt/solver", "dflt"}),
            words("APP=/opt/solver\nexec $HOME/app \"${APP}\" ${NONE:-dflt}",
                  {{"HOME", "/home/u"}}));
  EXPECT_EQ((Words{"$@", "$1x"}).size(), words("'$@' '$1x'").size());
  EXPECT_EQ((Words{"./run-"}), words("./run-$RANK"));
  EXPECT_EQ((Words{"$"}), words("$"));
  EXPECT_EQ((Words{"${"}), words("${"));
  EXPECT_EQ((Words{"${A"}), words("${A"));
}

TEST(WordsOfScript, KnowTheScriptsOwnFolder) {
  for (const char* folder :
       {"$(dirname \"$0\")", "$(dirname -- $0)", "`dirname $0`", "${0%/*}",
        "$(dirname \"${BASH_SOURCE[0]}\")",
        "$(cd \"$(dirname \"$0\")\" && pwd)"}) {
    EXPECT_EQ((Words{"/bin dir/app"}),
              words("\"" + std::string(folder) + "/app\""))
        << folder;
    EXPECT_EQ((Words{"/bin dir/app"}),
              words("HERE=\"" + std::string(folder) + "\"\n\"$HERE\"/app"))
        << folder;
  }
}

}  // namespace
}  // namespace poprt
