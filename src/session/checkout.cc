#include "session/checkout.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/kernel_text.h"

namespace poprt {
namespace {

// Further up than any project is deep.
constexpr int kMostFolders = 40;
// Of the file that has the references that have none of their own.
constexpr size_t kMostPacked = size_t{1} << 20;

bool is_commit(std::string_view text) {
  return text.size() >= 40 && text.size() <= 64 &&
         std::ranges::all_of(
             text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

// What follows `word` in the text; empty if it does not begin with it.
std::string after(std::string_view word, const std::string& text) {
  return text.starts_with(word) ? text.substr(word.size()) : "";
}

std::string in_folder(const std::string& path, const std::string& folder) {
  return path.starts_with('/') ? path : folder + "/" + path;
}

// A line of it is "COMMIT REFERENCE".
std::string packed_commit(const std::string& folder,
                          const std::string& reference) {
  const std::string text =
      kernel_text(folder + "/packed-refs", kMostPacked) + "\n";
  const size_t end = text.find(" " + reference + "\n");
  if (end == std::string::npos) return "";
  const size_t line = text.rfind('\n', end);
  const size_t begin = line == std::string::npos ? 0 : line + 1;
  return text.substr(begin, end - begin);
}

// Where git keeps what it knows of this folder; empty if that is no checkout.
std::string git_folder(const std::string& folder) {
  const std::string path = folder + "/.git";
  if (!kernel_text(path + "/HEAD").empty()) return path;
  // Of a worktree or a submodule it is a file that says where.
  const std::string elsewhere = after("gitdir: ", kernel_text(path));
  return elsewhere.empty() ? "" : in_folder(elsewhere, folder);
}

std::optional<dev_t> device_of(const std::string& folder) {
  struct stat status = {};
  if (stat(folder.c_str(), &status) != 0) return std::nullopt;
  return status.st_dev;
}

Checkout checkout_in(const std::string& git) {
  const std::string head = kernel_text(git + "/HEAD");
  const std::string reference = after("ref: ", head);
  if (reference.empty()) return {is_commit(head) ? head : "", ""};
  const std::string common = kernel_text(git + "/commondir");
  const std::string shared = common.empty() ? git : in_folder(common, git);
  std::string commit = kernel_text(shared + "/" + reference);
  if (commit.empty()) commit = packed_commit(shared, reference);
  const std::string branch = after("refs/heads/", reference);
  return {is_commit(commit) ? commit : "", branch.empty() ? reference : branch};
}

}  // namespace

Checkout checkout_of(std::string folder) {
  const std::optional<dev_t> device = device_of(folder);
  // As git does, not across file systems: folders above a mounted one may be
  // slow to look into.
  for (int i = 0; i < kMostFolders && device == device_of(folder); ++i) {
    const std::string git = git_folder(folder);
    if (!git.empty()) return checkout_in(git);
    const size_t slash = folder.rfind('/');
    if (slash == std::string::npos || slash == 0) break;
    folder.resize(slash);
  }
  return {};
}

}  // namespace poprt
