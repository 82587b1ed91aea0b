#!/usr/bin/env python3
"""Random OpenMP programs, with MPI or without (--mpi none): what the library
reports against the longest paths in the graph of what has happened.

Everything else is taken from run.py.
"""

import sys

import run  # this folder's; it makes the modules of the end-to-end tests known
import openmp_generator
import openmp_replay


class Launch(run.Launch):
    # Threads that wait for tasks, and MPICH's waiting ranks, occupy cores that sleeping
    # threads need when they wake up; even more so if other programs use the cores.
    TOLERANCE_NS = 3000000

    def make_script(self):
        return openmp_generator.Launch(self.seeds, self.ranks, self.options.mpi != 'none')

    def make_graph(self, trace_paths):
        graph = openmp_replay.Graph([openmp_replay.read_trace(path) for path in trace_paths],
                                    self.script.text.split('\n'), self.options.mpi != 'none')
        self.events = graph.tasks
        return graph

    def describe_events(self):
        return '%d programs, %d tasks' % (self.programs, self.events)

    def takes_turns(self):
        return self.options.mpi == 'mpich'  # threads are more than cores


if __name__ == '__main__':
    sys.exit(run.main(Launch, __doc__, per_launch=10))
