#include "launch/loader/measured_program.h"

#include <unistd.h>

#include <optional>
#include <unordered_set>
#include <utility>

#include "launch/loader/program_loader.h"
#include "launch/loader/script.h"

namespace poprt {
namespace {

// Longer scripts are no wrappers.
constexpr uint64_t kLongestScript = 64 << 10;
// A script may start another script.
constexpr int kMostNested = 3;

// The text of a shell script; "" if the file is not one.
std::string script_text(const std::string& path, bool is_for_shell) {
  if (!is_for_shell && script_interpreter(path).empty()) return "";
  const auto bytes = open_bytes(path);
  if (!bytes || bytes->size > kLongestScript) return "";
  std::string text(static_cast<size_t>(bytes->size), '\0');
  if (!bytes->read(0, text.data(), text.size())) return "";
  // In a file of another kind no word means anything.
  return text.find('\0') == std::string::npos ? text : "";
}

bool is_shell(const std::string& word) {
  const std::string name = base_name(word);
  for (const char* shell : {"sh", "bash", "dash", "ksh", "zsh"}) {
    if (name == shell) return true;
  }
  return false;
}

// Looks for programs with MPI or OpenMP in the words of command lines.
class ProgramSearch {
 public:
  ProgramSearch(const Environment& environment, const LoaderCache& cache)
      : environment_(environment), cache_(cache) {}

  // The first word itself is not examined, but it tells how to read the others.
  void in(const std::vector<std::string>& words, int nested) {
    for (size_t i = 0; i < words.size() && !found_; ++i) {
      if (i > 0) at(words[i]);
      if (found_ || nested == kMostNested) continue;
      const bool behind_shell = i > 0 && is_shell(words[i - 1]);
      std::string path = path_of_command(words[i], environment_);
      // For a shell an argument is first a file in the working directory.
      if (behind_shell && access(words[i].c_str(), R_OK) == 0) path = words[i];
      const std::string text =
          path.empty() ? "" : script_text(path, behind_shell);
      if (!text.empty()) in_text(text, path, nested);
      // sh -c 'exec ./app'
      if (words[i].find(' ') != std::string::npos) {
        in_text(words[i], "", nested);
      }
    }
  }

  // nullopt for none.
  const std::optional<std::pair<std::string, Program>>& result() const {
    return found_ ? found_ : python_;
  }

 private:
  void at(const std::string& word) {
    if (!seen_.insert(word).second) return;
    Program program = inspect_program(word, environment_, cache_);
    if (!shows_what_is_measured(program)) return;
    auto& place = program.is_python ? python_ : found_;
    if (!place) place = std::pair(word, std::move(program));
  }

  void in_text(const std::string& text, const std::string& path, int nested) {
    std::vector<std::string> words = words_of_script(text, path, environment_);
    words.insert(words.begin(), "");
    in(words, nested + 1);
  }

  const Environment& environment_;
  const LoaderCache& cache_;
  std::unordered_set<std::string> seen_;
  std::optional<std::pair<std::string, Program>> found_;
  std::optional<std::pair<std::string, Program>> python_;
};

}  // namespace

bool shows_what_is_measured(const Program& program) {
  return program.kind == Kind::kDynamic &&
         (program.mpi != Mpi::kNone || program.has_openmp_for_tools ||
          !program.libgomp.empty() || !program.other_openmp.empty());
}

Program measured_program(const std::vector<std::string>& words,
                         const Environment& environment,
                         const LoaderCache& cache, std::string* name) {
  *name = words[0];
  Program program = inspect_program(words[0], environment, cache);
  if (is_program_loader(program)) {
    const LoaderLine line = loader_line(words);
    if (line.words.empty()) return program;
    Environment its = environment;
    if (!line.library_path.empty()) its["LD_LIBRARY_PATH"] = line.library_path;
    return measured_program(line.words, its, cache, name);
  }
  if (program.kind != Kind::kDynamic || program.is_python ||
      shows_what_is_measured(program)) {
    return program;
  }
  ProgramSearch search(environment, cache);
  search.in(words, 0);
  if (!search.result()) return program;
  *name = search.result()->first;
  return search.result()->second;
}

}  // namespace poprt
