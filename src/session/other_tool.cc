#include "session/other_tool.h"

#include <dlfcn.h>

#include <atomic>

#include "base/image.h"
#include "model/noted.h"

namespace poprt {
namespace {

std::atomic<const std::string*> g_taken_by{nullptr};

// The path of another tool that the loader finds first.  A runtime has an empty
// function of this name itself.
std::string tool_in_front() {
  const Image tool = image_of(dlsym(RTLD_DEFAULT, "ompt_start_tool"));
  const Image own = image_of(reinterpret_cast<const void*>(&tool_in_front));
  const Image runtime = image_of(dlsym(RTLD_DEFAULT, "kmp_get_blocktime"));
  const bool other = tool.base != nullptr && runtime.base != nullptr &&
                     tool.base != own.base && tool.base != runtime.base;
  return other ? tool.path : "";
}

}  // namespace

void give_way_to(const std::string& path) {
  // Never freed, because it may still be read while the process ends.
  g_taken_by.store(new std::string(path));
}

std::string other_tool_note() {
  const std::string* const taken_by = g_taken_by.load();
  const std::string path = taken_by != nullptr ? *taken_by : tool_in_front();
  if (path.empty()) return "";
  return noted<"openmp_other_tool">(path.substr(path.rfind('/') + 1));
}

}  // namespace poprt
