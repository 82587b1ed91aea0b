// Rows of scaling tables, for tests.
#ifndef POPRT_TESTS_UNIT_SCALING_ROWS_H_
#define POPRT_TESTS_UNIT_SCALING_ROWS_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compare/scaling_table.h"

namespace poprt::test {

inline const ScalingRow& row(const std::vector<ScalingRow>& rows,
                             const std::string& key) {
  for (const ScalingRow& each : rows) {
    if (each.metric.key == key) return each;
  }
  ADD_FAILURE() << "no row " << key;
  return rows.front();
}

inline double value(const std::vector<ScalingRow>& rows, const std::string& key,
                    size_t column) {
  return row(rows, key).cells[column].values.median;
}

}  // namespace poprt::test

#endif  // POPRT_TESTS_UNIT_SCALING_ROWS_H_
