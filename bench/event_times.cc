// Times of single events of the runtime.
#include <benchmark/benchmark.h>

#include "bench/events.h"
#include "measure/time_source.h"

namespace {

using poprt::bench::Event;
using poprt::bench::Events;

void time_event(benchmark::State& state, const Event& event) {
  Events events;
  for (auto _ : state) (events.*event.run)();
}

void time_stamp(benchmark::State& state) {
  poprt::start_clock();
  for (auto _ : state) benchmark::DoNotOptimize(poprt::now_ns());
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::RegisterBenchmark("time stamp", time_stamp);
  for (const Event& event : poprt::bench::kEvents) {
    benchmark::RegisterBenchmark(event.name, [&event](benchmark::State& state) {
      time_event(state, event);
    });
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
