// poprt import: turns measurements of another tool into run files.
#include <memory>
#include <string>
#include <vector>

#include "command/arguments.h"
#include "command/command.h"
#include "command/exported_files.h"
#include "exchange/formats.h"
#include "exchange/talp_import.h"
#include "run_file/input.h"

namespace poprt {
namespace {

struct ImportArguments {
  std::vector<std::string> files;
  std::string output;
};

int run_import(const ImportArguments& arguments) {
  // Read all files before anything is written.
  std::vector<ExportedFile> files;
  for (const std::string& file : arguments.files) {
    std::string complaint;
    const auto text = read_input(file, &complaint);
    const auto report =
        text ? parse_talp(*text, input_name(file), &complaint) : std::nullopt;
    if (!report) {
      complain(complaint);
      return kBadInput;
    }
    files.push_back(run_file_of(*report));
  }
  return save_files(files, arguments.output, ".json", "") ? kGood : kBadInput;
}

}  // namespace

void add_import(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<ImportArguments>();
  CLI::App* const command = app->add_subcommand(
      "import", "Make run files of the JSON that TALP writes");
  command->add_option("FILE", arguments->files, "TALP's files; - is stdin")
      ->required();
  command->add_option("-o,--output", arguments->output,
                      "Folder for the run files, or the file where it is one "
                      "(.json; - is stdout); never over an existing file: a "
                      "number is added");
  command->callback([=] { *run = [=] { return run_import(*arguments); }; });
}

}  // namespace poprt
