#include "code_places/source_location.h"

#include <dlfcn.h>

#include <cstdio>

#include "code_places/function_name.h"
#include "code_places/helper_process.h"

namespace poprt {
namespace {

std::string plus_hex(const std::string& name, uint64_t offset) {
  char text[24];
  std::snprintf(text, sizeof text, "+0x%llx",
                static_cast<unsigned long long>(offset));
  return name + text;
}

// From the dynamic symbols of this process, if it has loaded the module.
std::string by_loaded_symbol(const CodeAddress& address,
                             const std::vector<LoadedModule>& modules) {
  for (const LoadedModule& module : modules) {
    if (module.path != address.module) continue;
    const uint64_t here = module.base + address.offset;
    Dl_info symbol;
    if (dladdr(reinterpret_cast<void*>(here - 1), &symbol) == 0 ||
        symbol.dli_sname == nullptr) {
      return "";
    }
    return plus_hex(function_name(symbol.dli_sname),
                    here - reinterpret_cast<uint64_t>(symbol.dli_saddr));
  }
  return "";
}

std::string without_helper(const CodeAddress& address,
                           const std::vector<LoadedModule>& modules) {
  if (address.module.empty()) {
    return address.offset == 0 ? "unknown"
                               : plus_hex("unknown", address.offset);
  }
  const std::string name = by_loaded_symbol(address, modules);
  if (!name.empty()) return name;
  return plus_hex(address.module.substr(address.module.rfind('/') + 1),
                  address.offset);
}

// One argument for each address, in the form that
// src/code_places/helper/main.cc reads.
std::vector<std::string> questions(const std::vector<CodeAddress>& addresses) {
  std::vector<std::string> lines;
  for (const CodeAddress& address : addresses) {
    char offset[24];
    std::snprintf(offset, sizeof offset, "\t%llx",
                  static_cast<unsigned long long>(address.offset));
    lines.push_back(address.module + offset);
  }
  return lines;
}

}  // namespace

std::string location_helper() { return helper_program("poprt-locations"); }

std::vector<std::string> source_locations(
    const std::vector<CodeAddress>& return_addresses, int64_t budget_ns,
    const std::string& helper, std::string* why_not) {
  std::vector<std::string> locations;
  if (return_addresses.empty()) return locations;
  if (!helper.empty() && budget_ns > 0) {
    const std::string answers =
        output_of(helper, questions(return_addresses), budget_ns, why_not);
    // Only complete lines: the last one may be cut off when time is up.
    size_t begin = 0;
    for (size_t end; (end = answers.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      locations.push_back(answers.substr(begin, end - begin));
    }
  }
  locations.resize(return_addresses.size());
  std::vector<LoadedModule> modules;
  for (size_t i = 0; i < locations.size(); ++i) {
    if (!locations[i].empty()) continue;
    if (modules.empty()) modules = loaded_modules();
    locations[i] = without_helper(return_addresses[i], modules);
  }
  return locations;
}

}  // namespace poprt
