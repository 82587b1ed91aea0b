#include "openmp/lock_names.h"

#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <string_view>

#include "code_places/code_address.h"
#include "code_places/function_name.h"

namespace poprt {
namespace {

// A word of this process's memory, which may not be there: a file may have been
// replaced since it was loaded.
uint64_t word_at(uint64_t address) {
  uint64_t word = 0;
  const iovec to = {&word, sizeof word};
  const iovec from = {reinterpret_cast<void*>(address), sizeof word};
  const ssize_t read = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
  return read == static_cast<ssize_t>(sizeof word) ? word : 0;
}

CodeAddress variable_address(uint64_t address) {
  return data_address(reinterpret_cast<const void*>(address));
}

// Whether a critical section's symbol has this size: a pointer (GCC), or eight
// words (LLVM).
bool may_be_critical(uint64_t size) {
  return size == sizeof(void*) || size == 8 * sizeof(int32_t);
}

}  // namespace

std::string critical_name(const std::string& symbol) {
  constexpr std::string_view kBegin = ".gomp_critical_user_";
  constexpr std::string_view kEnd = ".var";
  std::string_view name = symbol;
  if (!name.starts_with(kBegin)) return "";
  name.remove_prefix(kBegin.size());
  if (name.ends_with(kEnd)) name.remove_suffix(kEnd.size());
  return name.empty() ? "(unnamed)" : std::string(name);
}

void LockNames::want_criticals(const std::string& module) {
  wants_criticals_ = true;
  modules_.insert(module);
}

void LockNames::want_variable(uint64_t address) {
  addresses_.insert(address);
  modules_.insert(variable_address(address).module);
}

void LockNames::read() {
  if (!wants_criticals_ && addresses_.empty()) return;
  // The program itself, which is the first one loaded, may have the criticals
  // of code in its libraries.
  bool is_program = true;
  for (const LoadedModule& module : loaded_modules()) {
    const bool may_have_criticals =
        wants_criticals_ && (is_program || modules_.contains(module.path));
    if (!module.path.empty() &&
        (may_have_criticals || modules_.contains(module.path))) {
      add(data_symbols(module, [&](const DataSymbol& symbol) {
        const auto next = addresses_.lower_bound(symbol.address);
        return (next != addresses_.end() &&
                *next - symbol.address < symbol.size) ||
               (may_have_criticals && may_be_critical(symbol.size));
      }));
    }
    is_program = false;
  }
}

// The symbol is the place for a lock.  LLVM's runtime has the lock there, or a
// pointer to the lock, or to an object that begins with a pointer to it; events
// name the lock.
void LockNames::add(const std::vector<DataSymbol>& symbols) {
  for (const DataSymbol& symbol : symbols) {
    variables_.emplace(symbol.address, symbol);
    const std::string name = critical_name(symbol.name);
    if (name.empty()) continue;
    uint64_t id = symbol.address;
    for (int steps = 0; steps < 3 && id != 0 && id % 2 == 0; ++steps) {
      criticals_.emplace(id, name);
      id = word_at(id);
    }
  }
}

std::string LockNames::critical(uint64_t wait_id) const {
  const auto found = criticals_.find(wait_id);
  return found == criticals_.end() ? "" : found->second;
}

std::string LockNames::variable(uint64_t lowest, uint64_t highest) const {
  auto found = variables_.upper_bound(lowest);
  if (found != variables_.begin()) {
    const DataSymbol& symbol = (--found)->second;
    if (highest - symbol.address < symbol.size) {
      return function_name(symbol.name);
    }
  }
  const CodeAddress place = variable_address(lowest);
  if (lowest != highest || place.module.empty()) return "";
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%llx",
                static_cast<unsigned long long>(place.offset));
  std::string_view file = place.module;
  file.remove_prefix(file.rfind('/') + 1);
  return std::string(file) + offset;
}

}  // namespace poprt
