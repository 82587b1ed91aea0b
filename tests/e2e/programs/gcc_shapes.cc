#include "gcc_shapes.h"

#include <omp.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

double level() {
  return static_cast<double>(omp_get_thread_num()) /
         (omp_get_num_threads() - 1);
}

// 1, 2, ... for each thread one.
std::vector<long> numbers() {
  std::vector<long> result(static_cast<size_t>(omp_get_max_threads()));
  std::iota(result.begin(), result.end(), 1);
  return result;
}

struct Extremes {
  long least = 1000;
  long most = -1000;
  void add(const Extremes& other) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
  }
};

#pragma omp declare reduction(extremes:Extremes : omp_out.add(omp_in))

}  // namespace

#define PRAGMA(text) _Pragma(#text)
#define LOOP(clauses)                                    \
  PRAGMA(omp for clauses)                                \
  for (auto i = values.begin(); i < values.end(); ++i) { \
    shape_work(1);                                       \
    total += *i;                                         \
  }
#define PARALLEL_LOOP(clauses)                           \
  PRAGMA(omp parallel for clauses reduction(+ : total))  \
  for (auto i = values.begin(); i < values.end(); ++i) { \
    shape_work(1);                                       \
    total += *i;                                         \
  }

long schedules() {
  const std::vector<long> values = numbers();
  long total = 0;
#pragma omp parallel reduction(+ : total)
  {
    shape_work(1 + 2 * level());
#pragma omp barrier
    LOOP(schedule(static))
    LOOP(schedule(static, 1))
    LOOP(schedule(dynamic))
    LOOP(schedule(monotonic : dynamic, 1))
    LOOP(schedule(guided))
    LOOP(schedule(auto))
    LOOP(schedule(runtime))
    LOOP(schedule(nonmonotonic : dynamic))
  }
  PARALLEL_LOOP(schedule(static))
  PARALLEL_LOOP(schedule(dynamic))
  PARALLEL_LOOP(schedule(guided))
  PARALLEL_LOOP(schedule(runtime))
  return total;
}

long sections() {
  long total = 0;
  const auto part = [&](double units, long value) {
    shape_work(units);
#pragma omp atomic
    total += value;
  };
#pragma omp parallel
  {
#pragma omp sections
      {
#pragma omp section
          part(1, 1);
#pragma omp section
  part(1, 2);
#pragma omp section
  part(1, 3);
#pragma omp section
  part(1, 4);
}
}
#pragma omp parallel sections
{
#pragma omp section
  part(2, 10);
#pragma omp section
  part(1, 20);
}
return total;
}

long singles() {
  long total = 0;
#pragma omp parallel reduction(+ : total)
  {
    std::string text;
    shape_work(1 + 3 * level());
#pragma omp single
    {
      shape_work(2);
      total += 1;
    }
    shape_work(1 + 3 * level());
#pragma omp single copyprivate(text)
    {
      shape_work(2);
      text = "a string that is long enough to be on the heap";
    }
    total += static_cast<long>(text.size());
    shape_work(1 + 3 * level());
#pragma omp single nowait
    shape_work(1);
    shape_work(1);
  }
  return total;
}

// Exceptions end where they are thrown: inside the construct.
long critical() {
  long total = 0;
#pragma omp parallel
  {
    shape_work(1);
#pragma omp critical(one_at_a_time)
    try {
      shape_work(5.0 / omp_get_num_threads());
      throw std::runtime_error("thrown");
    } catch (const std::exception& error) {
      total += static_cast<long>(std::string(error.what()).size());
    }
  }
  return total;
}

long ordered() {
  const std::vector<long> values = numbers();
  std::string order;
#pragma omp parallel for ordered schedule(static, 1)
  for (auto i = values.begin(); i < values.end(); ++i) {
    shape_work(1);
#pragma omp ordered
    {
      shape_work(5.0 / static_cast<double>(values.size()));
      order += std::to_string(*i);
    }
  }
  return std::stol(order);
}

long dependences() {
  std::vector<long> first, second;
  long third = 0;
#pragma omp parallel
#pragma omp master
  {
    const std::vector<long> values = numbers();
    shape_work(1);
#pragma omp task depend(out : first) firstprivate(values)
    {
      shape_work(2);
      first = values;
    }
#pragma omp task depend(in : first) depend(out : second)
    {
      shape_work(2);
      second.assign(first.rbegin(), first.rend());
    }
#pragma omp task depend(inout : second)
    {
      shape_work(1);
      third = second.front();
    }
    shape_work(7);
#pragma omp taskwait
    shape_work(1);
#pragma omp task if (false) firstprivate(values)
    third += std::accumulate(values.begin(), values.end(), 0L);
  }
  return third;
}

long taskloop() {
  long total = 0;
#pragma omp parallel
#pragma omp master
  {
    const int n = omp_get_num_threads();
    shape_work(1);
#pragma omp taskloop num_tasks(2 * n) reduction(+ : total)
    for (int i = 0; i < 2 * n; ++i) {
      shape_work(1.5);
      total += i;
    }
    shape_work(1);
  }
  return total;
}

long reductions() {
  const std::vector<long> values = numbers();
  long total = 0;
  Extremes extremes, tasks;
#pragma omp parallel reduction(+ : total)
  {
    shape_work(2 + 4 * level());
    total += omp_get_thread_num();
  }
#pragma omp parallel for schedule(static) reduction(extremes : extremes)
  for (auto i = values.begin(); i < values.end(); ++i) {
    shape_work(2);
    extremes.add({*i, *i});
  }
#pragma omp parallel reduction(task, extremes : tasks)
  {
    shape_work(2);
    const long number = omp_get_thread_num();
#pragma omp task in_reduction(extremes : tasks)
    tasks.add({number, number});
  }
  return total + 10 * extremes.least + 100 * extremes.most + 1000 * tasks.most;
}
