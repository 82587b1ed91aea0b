// LockNames: what the program calls its critical sections and locks, found in
// the symbols of its files at the end of a run.  The runtime knows a lock by a
// number, which is another one in each process.  Symbol tables are read in
// pieces, and only what is wanted is kept, because all processes of a node read
// them at once.
#ifndef POPRT_OPENMP_LOCK_NAMES_H_
#define POPRT_OPENMP_LOCK_NAMES_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "code_places/data_symbols.h"

namespace poprt {

// The name of a critical section whose lock has this symbol: "gate", or
// "(unnamed)"; "" if it is none.  Clang's symbols are
// ".gomp_critical_user_gate.var", GCC's ".gomp_critical_user_gate".
std::string critical_name(const std::string& symbol);

class LockNames {
 public:
  // First, what will be asked for: critical sections whose code is in this
  // file, and variables that contain this address.
  void want_criticals(const std::string& module);
  void want_variable(uint64_t address);
  // Then the files are read.
  void read();

  // Of the lock that the runtime's events call `wait_id`; "" if not known.
  std::string critical(uint64_t wait_id) const;
  // Of the variable in which these locks are: that of the lock with the lowest
  // number and of the one with the highest.  If there is no symbol for it, and
  // they are one lock, "app+0x4060".
  std::string variable(uint64_t lowest, uint64_t highest) const;

 private:
  void add(const std::vector<DataSymbol>& symbols);

  std::set<std::string> modules_;
  bool wants_criticals_ = false;
  std::set<uint64_t> addresses_;
  std::map<uint64_t, std::string> criticals_;  // by wait id
  std::map<uint64_t, DataSymbol> variables_;   // by address
};

}  // namespace poprt

#endif  // POPRT_OPENMP_LOCK_NAMES_H_
