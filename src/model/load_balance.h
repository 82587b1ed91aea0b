// The two parts of the load balance of all threads, which several models have:
// inside nodes and between them.  Their product is avg(useful) / max(useful).
#ifndef POPRT_MODEL_LOAD_BALANCE_H_
#define POPRT_MODEL_LOAD_BALANCE_H_

#include "model/terms.h"

namespace poprt {

inline double load_balance_in(const Inputs& x) {
  return ratio(x.terms.useful_node_max, x.terms.useful_max);
}
inline double load_balance_in_loss(const Inputs& x) {
  return x.shares.useful_max - x.shares.useful_node_max;
}
inline double load_balance_out(const Inputs& x) {
  return ratio(x.terms.useful_avg, x.terms.useful_node_max);
}
inline double load_balance_out_loss(const Inputs& x) {
  return x.shares.useful_node_max - x.shares.useful_avg;
}

}  // namespace poprt

#endif  // POPRT_MODEL_LOAD_BALANCE_H_
