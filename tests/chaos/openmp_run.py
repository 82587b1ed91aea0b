#!/usr/bin/env python3
"""Random OpenMP programs, with MPI or without (--mpi none): what the library
reports against the longest paths in the graph of what has happened.

Everything else is taken from run.py.
"""

import sys

import run  # this folder's; it makes the modules of the end-to-end tests known
import openmp_generator
import openmp_replay

# Threads that wait for tasks, and MPICH's waiting ranks, occupy cores that sleeping
# threads need when they wake up; even more so if other programs use the cores.
TOLERANCE_NS = 3000000


class Launch(run.Launch):
    def make_script(self):
        return openmp_generator.Launch(self.seeds, self.ranks, self.options.mpi != 'none')

    def make_graph(self, trace_paths):
        graph = openmp_replay.Graph([openmp_replay.read_trace(path) for path in trace_paths],
                                    self.script.text.split('\n'), self.options.mpi != 'none')
        self.events = graph.tasks
        return graph

    def describe_events(self):
        return '%d programs, %d tasks' % (self.programs, self.events)

    def _tolerance_of_the_mpi_ns(self):
        disturbed = self.measured.foreign > run.DISTURBED
        if self.options.mpi == 'mpich':  # threads are more than cores
            return (run.TOLERANCE_DISTURBED_MPICH_NS if disturbed else
                    run.TOLERANCE_CROWDED_MPICH_NS)
        return run.TOLERANCE_DISTURBED_NS if disturbed else TOLERANCE_NS


if __name__ == '__main__':
    sys.exit(run.main(Launch, __doc__, per_launch=10))
