// The metrics of the model `io`: POP2 D8.2, section 2.2.
//
// MPI-IO is no useful time here and POSIX I/O is, so each is in the definition
// that fits it: avg(useful) / avg(useful + I/O) and avg(useful - I/O) /
// avg(useful).  Their product is File I/O Efficiency, in which the two
// definitions agree.
#ifndef POPRT_MODEL_IO_MODEL_H_
#define POPRT_MODEL_IO_MODEL_H_

#include "model/metric_table.h"
#include "model/place_of.h"

namespace poprt {

namespace io {
// The average useful time, with all file I/O and without any.
inline double with_io(const Inputs& x) {
  return x.terms.useful_avg + x.io.mpi.avg;
}
inline double without_io(const Inputs& x) {
  return x.terms.useful_avg - x.io.posix.avg;
}
template <IoWay IoTerms::*kWay>
double share(const Inputs& x) {
  return ratio((x.io.*kWay).avg, x.terms.all);
}
// Bytes read, bytes written, calls.
template <IoWay IoTerms::*kWay, double IoWay::*kAmount>
double sum_of(const Inputs& x) {
  return (x.io.*kWay).*kAmount;
}
template <IoWay IoTerms::*kWay>
double bandwidth(const Inputs& x) {
  const IoWay& way = x.io.*kWay;
  return ratio((way.read + way.written) * 1e9, way.sum);
}
template <double IoMetrics::*kMember>
constexpr size_t place = place_of<&Metrics::io, kMember>;

// A row that is no efficiency.
constexpr Metric number(const char* key, const char* label, Layer layer,
                        size_t place, double (*formula)(const Inputs&),
                        MetricUnit unit, bool less_is_better) {
  Metric metric = {Model::kIo, key, label, 0, layer, place, formula};
  metric.unit = unit;
  metric.less_is_better = less_is_better;
  return metric;
}
}  // namespace io

inline constexpr Metric kIoModel[] = {
    {Model::kIo, "parallel_efficiency_io_lost", "Parallel Eff., I/O lost", 0,
     Layer::kIo, io::place<&IoMetrics::parallel_efficiency_io_lost>,
     [](const Inputs& x) { return ratio(io::without_io(x), x.terms.all); },
     [](const Inputs& x) { return 1 - ratio(io::without_io(x), x.terms.all); }},
    {Model::kIo, "file_io_efficiency", "File I/O Efficiency", 1, Layer::kIo,
     io::place<&IoMetrics::file_io_efficiency>,
     [](const Inputs& x) { return ratio(io::without_io(x), io::with_io(x)); },
     [](const Inputs& x) {
       return io::share<&IoTerms::mpi>(x) + io::share<&IoTerms::posix>(x);
     }},
    {Model::kIo, "mpi_io_efficiency", "MPI-IO Efficiency", 2, Layer::kMpi,
     io::place<&IoMetrics::mpi_io_efficiency>,
     [](const Inputs& x) { return ratio(x.terms.useful_avg, io::with_io(x)); },
     io::share<&IoTerms::mpi>},
    {Model::kIo, "posix_io_efficiency", "POSIX I/O Efficiency", 2,
     Layer::kPosix, io::place<&IoMetrics::posix_io_efficiency>,
     [](const Inputs& x) {
       return ratio(io::without_io(x), x.terms.useful_avg);
     },
     io::share<&IoTerms::posix>},
    {Model::kIo, "parallel_efficiency_io_useful", "Parallel Eff., I/O useful",
     1, Layer::kIo, io::place<&IoMetrics::parallel_efficiency_io_useful>,
     [](const Inputs& x) { return ratio(io::with_io(x), x.terms.all); },
     [](const Inputs& x) { return 1 - ratio(io::with_io(x), x.terms.all); }},
    io::number("mpi_io_share", "MPI I/O, % of core time", Layer::kMpi,
               io::place<&IoMetrics::mpi_io_share>, io::share<&IoTerms::mpi>,
               MetricUnit::kShare, true),
    io::number("mpi_io_read_bytes", "MPI-IO, bytes read", Layer::kMpi,
               io::place<&IoMetrics::mpi_io_read_bytes>,
               io::sum_of<&IoTerms::mpi, &IoWay::read>, MetricUnit::kBytes,
               true),
    io::number("mpi_io_written_bytes", "MPI-IO, bytes written", Layer::kMpi,
               io::place<&IoMetrics::mpi_io_written_bytes>,
               io::sum_of<&IoTerms::mpi, &IoWay::written>, MetricUnit::kBytes,
               true),
    io::number("mpi_io_calls", "MPI-IO, calls", Layer::kMpi,
               io::place<&IoMetrics::mpi_io_calls>,
               io::sum_of<&IoTerms::mpi, &IoWay::calls>, MetricUnit::kCount,
               true),
    io::number("mpi_io_bandwidth", "MPI-IO, bytes/s a thread", Layer::kMpi,
               io::place<&IoMetrics::mpi_io_bandwidth>,
               io::bandwidth<&IoTerms::mpi>, MetricUnit::kBytesPerSecond,
               false),
    io::number("posix_io_share", "POSIX I/O, % of core time", Layer::kPosix,
               io::place<&IoMetrics::posix_io_share>,
               io::share<&IoTerms::posix>, MetricUnit::kShare, true),
    io::number("posix_io_read_bytes", "POSIX I/O, bytes read", Layer::kPosix,
               io::place<&IoMetrics::posix_io_read_bytes>,
               io::sum_of<&IoTerms::posix, &IoWay::read>, MetricUnit::kBytes,
               true),
    io::number("posix_io_written_bytes", "POSIX I/O, bytes written",
               Layer::kPosix, io::place<&IoMetrics::posix_io_written_bytes>,
               io::sum_of<&IoTerms::posix, &IoWay::written>, MetricUnit::kBytes,
               true),
    io::number("posix_io_calls", "POSIX I/O, calls", Layer::kPosix,
               io::place<&IoMetrics::posix_io_calls>,
               io::sum_of<&IoTerms::posix, &IoWay::calls>, MetricUnit::kCount,
               true),
    io::number("posix_io_bandwidth", "POSIX I/O, bytes/s a thread",
               Layer::kPosix, io::place<&IoMetrics::posix_io_bandwidth>,
               io::bandwidth<&IoTerms::posix>, MetricUnit::kBytesPerSecond,
               false),
};

}  // namespace poprt

#endif  // POPRT_MODEL_IO_MODEL_H_
