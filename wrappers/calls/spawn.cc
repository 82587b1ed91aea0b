#include "wrappers/calls/spawn.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/kept_environment.h"
#include "base/run_word.h"
#include "base/spawn_words.h"
#include "measure/events.h"
#include "model/noted.h"

namespace poprt::mpi {
namespace {

std::string info_value(MPI_Info info, const char* key) {
  char text[MPI_MAX_INFO_VAL + 1] = {};
  int found = 0;
  if (info == pmpi().info_null ||
      pmpi().Info_get(info, key, MPI_MAX_INFO_VAL, text, &found) !=
          MPI_SUCCESS) {
    return "";
  }
  return found != 0 ? text : "";
}

bool is_program(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

// Whether `poprt run` would find the command in the same place as MPI.
bool is_found(const std::string& command, MPI_Info info) {
  // With these keys MPI looks in other places.
  if (!info_value(info, "path").empty() || !info_value(info, "file").empty()) {
    return false;
  }
  if (command.find('/') != std::string::npos) {
    const std::string folder = info_value(info, "wdir");
    return is_program(command.front() == '/' || folder.empty()
                          ? command
                          : folder + "/" + command);
  }
  const char* const path = kept_variable("PATH");
  std::string folders = path == nullptr ? "" : path;
  while (!folders.empty() && !command.empty()) {
    const size_t end = folders.find(':');
    if (is_program(folders.substr(0, end) + "/" + command)) return true;
    folders.erase(0, end == std::string::npos ? end : end + 1);
  }
  return false;
}

}  // namespace

void SpawnedCommands::put_in_front(const char** command, char*** argv,
                                   MPI_Info info) {
  const char* const value = kept_variable(kSpawnVariable);
  if (value == nullptr || *value == '\0') return;
  asked_ = true;
  if (*command == nullptr || !is_found(*command, info)) {
    all_measured_ = false;
    return;
  }
  std::vector<char*>& line = lines_.emplace_back();
  for (std::string& word : spawn_words(value)) {
    line.push_back(texts_.emplace_back(std::move(word)).data());
  }
  const char* const first = line.front();
  line.erase(line.begin());
  line.push_back(texts_.emplace_back(*command).data());
  for (char** word = *argv; word != MPI_ARGV_NULL && *word != nullptr; ++word) {
    line.push_back(*word);
  }
  line.push_back(nullptr);
  *command = first;
  *argv = line.data();
}

void SpawnedCommands::put_in_front(int count, char*** commands, char**** argvs,
                                   const MPI_Info* infos) {
  if (count <= 0 || *commands == nullptr || infos == nullptr) return;
  for (int i = 0; i < count; ++i) {
    const char* command = (*commands)[i];
    char** argv = *argvs == MPI_ARGVS_NULL ? MPI_ARGV_NULL : (*argvs)[i];
    put_in_front(&command, &argv, infos[i]);
    commands_.push_back(const_cast<char*>(command));
    argvs_.push_back(argv);
  }
  // Nothing was replaced: pass the program's own arrays, which MPI names in its
  // error messages.
  if (lines_.empty()) return;
  // If one command has arguments, each needs a list of its own.
  char* none[] = {nullptr};
  for (char**& argv : argvs_) {
    if (argv == MPI_ARGV_NULL) {
      argv = lines_.emplace_back(none, none + 1).data();
    }
  }
  *commands = commands_.data();
  *argvs = argvs_.data();
}

void SpawnedCommands::note() const {
  if (asked_ && !all_measured_) tell_run(RunWord::kUnmeasuredSpawn);
  measured_process().note(!asked_          ? noted<"spawn_unasked">()
                          : all_measured_  ? noted<"spawn_measured">()
                          : lines_.empty() ? noted<"spawn_not_found">()
                                           : noted<"spawn_some">());
}

}  // namespace poprt::mpi
