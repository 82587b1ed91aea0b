// LockNames: what the program calls its critical sections and locks, found in
// the symbols of its files at the end of a run.
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
  // Variables of a file.
  void add(const std::vector<DataSymbol>& symbols);

  // Of the lock that the runtime's events call `wait_id`; "" if not known.
  std::string critical(uint64_t wait_id) const;
  // Of the variable in which these locks are: that of the lock with the lowest
  // number and of the one with the highest.
  std::string variable(uint64_t lowest, uint64_t highest) const;

 private:
  std::map<uint64_t, std::string> criticals_;  // by wait id
  std::map<uint64_t, DataSymbol> variables_;   // by address
};

}  // namespace poprt

#endif  // POPRT_OPENMP_LOCK_NAMES_H_
