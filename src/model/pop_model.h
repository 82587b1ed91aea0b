// The metrics of the model `pop`.
#ifndef POPRT_MODEL_POP_MODEL_H_
#define POPRT_MODEL_POP_MODEL_H_

#include "model/load_balance.h"
#include "model/metric_table.h"
#include "model/place_of.h"

namespace poprt {

inline constexpr Metric kPopModel[] = {
    {Model::kPop, "parallel_efficiency", "Parallel Efficiency", 0, Layer::kAny,
     place_of<&Metrics::pop, &PopMetrics::parallel_efficiency>,
     [](const Inputs& x) { return ratio(x.terms.useful_avg, x.terms.all); },
     [](const Inputs& x) { return 1 - x.shares.useful_avg; }},
    {Model::kPop, "load_balance", "Load Balance", 1, Layer::kAny,
     place_of<&Metrics::pop, &PopMetrics::load_balance>,
     [](const Inputs& x) {
       return ratio(x.terms.useful_avg, x.terms.useful_max);
     },
     [](const Inputs& x) { return x.shares.useful_max - x.shares.useful_avg; }},
    of_nodes({Model::kPop, "load_balance_in", "Load Balance In", 2, Layer::kAny,
              place_of<&Metrics::pop, &PopMetrics::load_balance_in>,
              load_balance_in, load_balance_in_loss}),
    of_nodes({Model::kPop, "load_balance_out", "Load Balance Out", 2,
              Layer::kAny,
              place_of<&Metrics::pop, &PopMetrics::load_balance_out>,
              load_balance_out, load_balance_out_loss}),
    {Model::kPop, "communication_efficiency", "Communication Efficiency", 1,
     Layer::kAny,
     place_of<&Metrics::pop, &PopMetrics::communication_efficiency>,
     [](const Inputs& x) { return ratio(x.terms.useful_max, x.terms.all); },
     [](const Inputs& x) { return 1 - x.shares.useful_max; }},
    {Model::kPop, "serialisation_efficiency", "Serialisation Efficiency", 2,
     Layer::kAny,
     place_of<&Metrics::pop, &PopMetrics::serialisation_efficiency>,
     [](const Inputs& x) { return ratio(x.terms.useful_max, x.terms.cue); },
     [](const Inputs& x) { return x.shares.cue - x.shares.useful_max; }},
    {Model::kPop, "transfer_efficiency", "Transfer Efficiency", 2, Layer::kAny,
     place_of<&Metrics::pop, &PopMetrics::transfer_efficiency>,
     [](const Inputs& x) { return ratio(x.terms.cue, x.terms.all); },
     [](const Inputs& x) { return 1 - x.shares.cue; }},
};

}  // namespace poprt

#endif  // POPRT_MODEL_POP_MODEL_H_
