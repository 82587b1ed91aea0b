#!/usr/bin/env python3
"""Tests of the model itself: worked examples of the formulas of docs/metrics.md, and
graphs whose heaviest path is obvious."""

import unittest

import model


def run(programs, threads=1, **kind):
    """Simulates one process per program (a generator function of the primary
    thread)."""
    return model.Simulation(len(programs), threads,
                            lambda t: programs[t.process.rank](t), **kind)


def spend(thread, state, units):
    before = thread.state
    thread.switch(state)
    yield from thread.work(units)
    thread.switch(before)


class WorkedExamples(unittest.TestCase):
    def check(self, simulation, name, digits=3, **expected):
        rows = simulation.expectation(model.GLOBAL).metrics[name]
        for key, value in expected.items():
            self.assertAlmostEqual(rows[key], value, delta=0.5 * 10 ** -digits, msg=key)

    def test_two_processes_additive(self):
        def first(t):  # useful 8; the path leads over the other's 5
            yield from t.work(4)
            yield from t.recv(1)
            yield from spend(t, model.MPI, 3)
            yield from t.work(4)

        def second(t):  # useful 6
            yield from t.work(5)
            t.send(0)
            yield from t.work(1)

        self.check(run([first, second], openmp=False), 'additive',
                   process_efficiency=7 / 12, process_communication_efficiency=8 / 12,
                   process_load_balance=0.917, process_transfer_efficiency=0.75,
                   process_serialisation_efficiency=0.917)

    def test_three_threads_additive(self):
        def body(t):
            useful = (9, 9, 6)[t.number]
            yield from t.work(useful)
            yield from spend(t, model.OMP, 12 - useful)

        def program(t):
            yield from t.work(4)
            yield from t.parallel(3, body)

        self.check(run([program], 3, mpi=False), 'additive', 2,
                   openmp_region_efficiency=0.75, serial_region_efficiency=0.83)

    def test_three_processes_multiplicative(self):
        def program(t):
            useful = (10, 8, 6)[t.process.rank]
            yield from t.work(useful)
            yield from spend(t, model.MPI, 12 - useful)

        self.check(run([program] * 3), 'multiplicative', mpi_parallel_efficiency=0.6667,
                   mpi_load_balance=0.8, mpi_communication_efficiency=0.8333,
                   mpi_transfer_efficiency=0.8333, mpi_serialisation_efficiency=1)

    def test_three_processes_of_two_threads_multiplicative(self):
        def program(t):
            useful = (10, 8, 6)[t.process.rank]

            def body(t):
                yield from t.work(useful - t.number)
            yield from t.parallel(2, body)
            yield from spend(t, model.MPI, 12 - useful)

        self.check(run([program] * 3, 2), 'multiplicative',
                   parallel_efficiency=0.625, load_balance=0.75, communication_efficiency=0.8333,
                   openmp_parallel_efficiency=0.9375, openmp_communication_efficiency=1,
                   openmp_load_balance=0.9375)


class Paths(unittest.TestCase):
    def test_a_chain_is_as_long_as_its_links(self):
        def program(t):
            if t.process.rank > 0:
                yield from t.recv(t.process.rank - 1)
            yield from t.work(1)
            if t.process.rank < 3:
                t.send(t.process.rank + 1)

        expected = run([program] * 4).expectation(model.GLOBAL)
        self.assertEqual((expected.cue, expected.com, expected.all, expected.pl_cue), (4, 4, 4, 1))

    def test_waiting_for_no_reason_is_transfer(self):
        def program(t):
            yield from t.work(1 + t.process.rank)
            yield from t.call('scan')
            yield from t.work(2 - t.process.rank)

        blocking = {'scan': lambda ranks, rank: ranks}
        sim = model.Simulation(2, 1, program, blocking=blocking)
        expected = sim.expectation(model.GLOBAL)
        self.assertEqual((expected.cue, expected.all), (3, 4))

    def test_a_region_counts_only_inside(self):
        def program(t):
            yield from t.work(1)
            if t.process.rank == 0:
                t.start('x')
                yield from t.work(2)
                t.send(1)
                t.stop('x')
            else:
                yield from t.recv(0)
                yield from t.work(5)
                t.start('x')
                yield from t.work(3)
                t.stop('x')

        expected = run([program] * 2).expectation('x')
        self.assertEqual((expected.cue, expected.all, expected.elapsed_max), (5, 5, 3))

    def test_a_worker_idle_during_mpi_does_not_lengthen_com(self):
        def body(t):
            yield from t.work(2)

        def program(t):
            yield from t.parallel(2, body)
            yield from spend(t, model.MPI, 3)
            yield from t.parallel(2, body)

        expected = run([program], 2).expectation(model.GLOBAL)
        self.assertEqual((expected.com, expected.all, expected.coo), (4, 7, 7))

    def com_of(self, first, second, then):
        def body(t):
            yield from (first, second)[t.number](t)

        def program(t):
            yield from t.parallel(2, body)
            yield from t.work(then)

        expected = run([program], 2).expectation(model.GLOBAL)
        rows = expected.metrics['multiplicative']
        return (expected.com, expected.comp, expected.all,
                rows['mpi_serialisation_efficiency'])

    def test_mpi_behind_the_work_of_another_thread_costs_nothing(self):
        self.assertEqual(self.com_of(lambda t: spend(t, model.MPI, 3), lambda t: t.work(4), 2),
                         (6, 6, 6, 0.5))

    def test_mpi_of_a_worker_for_which_others_wait_costs_all(self):
        self.assertEqual(self.com_of(lambda t: t.work(1), lambda t: spend(t, model.MPI, 3), 1),
                         (2, 4, 4, 2))

    def test_mpi_in_a_team_of_one_is_on_the_line_of_the_process(self):
        def nested(size):
            def program(t):
                yield from t.parallel(size, lambda t: t.parallel(1, lambda t: spend(t, model.MPI, 3))
                                      if t.number == 0 else t.work(1))
                yield from t.work(2)
            return program

        for size in 1, 2:
            simulation = run([nested(size)], size)
            expected = simulation.expectation(model.GLOBAL)
            self.assertEqual((expected.com, expected.comp), (size + 1, 5))
            self.assertEqual(any(p.off_line for p in simulation.points), size > 1)


class Tasks(unittest.TestCase):
    """Each creates tasks on a first thread that waits for them."""

    def clocks(self, create, threads=3, **kind):
        def body(t):
            if t.number == 0:
                yield from create(t)
                yield from t.taskwait()

        def program(t):
            yield from t.parallel(threads, body)
        expected = run([program], threads, **kind).expectation(model.GLOBAL)
        return expected.cue, expected.all

    @staticmethod
    def task(units):
        def body(t):
            yield from t.work(units)
        return body

    def test_dependences_of_each_type_on_each_other(self):
        exclusive = {'in': 'out inout mutexinoutset inoutset',
                     'out': 'in out inout mutexinoutset inoutset',
                     'inout': 'in out inout mutexinoutset inoutset',
                     'mutexinoutset': 'in out inout mutexinoutset inoutset',
                     'inoutset': 'in out inout mutexinoutset'}
        for before in exclusive:
            for after in exclusive:
                def create(t):
                    for kind in (before, after):
                        t.create_task(self.task(2), depend=[(kind, 'x')])
                    yield from ()
                length = 4 if before in exclusive[after].split() else 2
                self.assertEqual(self.clocks(create), (length, length), (before, after))

    def test_members_of_a_set_are_not_ordered(self):
        def create(t):
            t.create_task(self.task(1), depend=[('out', 'y')])
            t.create_task(self.task(1), depend=[('mutexinoutset', 'x'), ('in', 'y')])
            t.create_task(self.task(1), depend=[('mutexinoutset', 'x')])
            yield from ()
        self.assertEqual(self.clocks(create), (2, 2))

    def test_all_memory_is_every_address(self):
        def create(t):
            t.create_task(self.task(1), depend=[('in', 'x')])
            t.create_task(self.task(1), depend=[('out', model.ALL_MEMORY)])
            t.create_task(self.task(1), depend=[('in', 'y')])
            yield from ()
        self.assertEqual(self.clocks(create), (3, 3))

    def test_an_undeferred_task_waits_on_its_thread(self):
        def create(t):
            t.create_task(self.task(2), depend=[('out', 'x')])
            yield from t.undeferred(self.task(1), [('in', 'x')])
            yield from t.taskwait_depend(('in', 'x'))
            yield from t.work(1)
        self.assertEqual(self.clocks(create), (4, 4))

    def test_a_detached_task_ends_with_the_later_of_both(self):
        for fulfilled in (1, 3):
            event = model.Event()

            def body(t):
                if t.number == 0:
                    t.create_task(self.task(2), detach=event)
                    yield from t.taskwait()
                    yield from t.work(1)
                else:
                    yield from t.work(fulfilled)
                    t.fulfil(event)

            def program(t):
                yield from t.parallel(2, body)
            expected = run([program], 2).expectation(model.GLOBAL)
            self.assertEqual((expected.cue, expected.all), (max(2, fulfilled) + 1,) * 2)

    def test_a_stranger_that_fulfills_has_no_work(self):
        event = model.Event()

        def stranger(t):
            yield from t.work(3)
            t.fulfil(event)

        def create(t):
            t.sim.spawn(stranger(model.Thread(t.process)))
            t.create_task(self.task(1), detach=event)
            yield from ()
        self.assertEqual(self.clocks(create), (1, 3))

    def test_tasks_that_are_cancelled_take_no_time(self):
        def cancels(t):
            yield from t.work(1)
            t.cancel_taskgroup()

        def group(t):
            for _ in range(9):
                t.create_task(cancels)
            yield from ()

        def create(t):
            yield from t.taskgroup(group)
        self.assertEqual(self.clocks(create), (1, 1))

    def test_a_doacross_loop_is_a_chain(self):
        posted = {}

        def body(t):
            yield from t.work(1)
            yield from t.sink(posted, t.number - 1)
            yield from t.work(2)
            t.source(posted, t.number)

        def program(t):
            yield from t.parallel(4, body)
        expected = run([program], 4).expectation(model.GLOBAL)
        self.assertEqual((expected.cue, expected.useful_max), (9, 3))

    def test_where_tasks_run_is_left_open(self):
        def program(t):
            yield from t.parallel(2, self.task(1))
        rows = run([program], 2, anywhere=True).expectation(model.GLOBAL).metrics['pop']
        self.assertIs(rows['load_balance'], model.UNDETERMINED)
        self.assertEqual((rows['parallel_efficiency'], rows['transfer_efficiency']), (1, 1))


if __name__ == '__main__':
    unittest.main()
