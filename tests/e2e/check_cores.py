#!/usr/bin/env python3
"""What the report says about cores: which ones threads could use, and whether they got
them.

  check_cores.py --config CONFIG [unittest arguments]
"""

import os
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import harness

CONFIGURATION = None
ALLOWED = sorted(os.sched_getaffinity(0))
# Runs the program $0 until both ranks have left a checkpoint in the folder $1.
UNTIL_BOTH_KEPT = """
"$0" 200 &
until [ "$(ls "$1"/*.poprt-parts/* 2> /dev/null | wc -l)" -ge 2 ]; do sleep 0.05; done
kill -s KILL $!
wait
"""


def cpus_of(text):
    """{0, 1, 2, 8} of '0-2,8'."""
    cpus = set()
    for part in text.split(','):
        first, _, last = part.partition('-')
        cpus.update(range(int(first), int(last or first) + 1))
    return cpus


def cpus_of_mask(mask):
    """Those of hwloc's '0x00000001,0x00000003'."""
    bits = 0
    for word in mask.split(','):
        bits = bits << 32 | int(word or '0', 16)
    return {i for i in range(bits.bit_length()) if bits >> i & 1}


class Cores(unittest.TestCase):
    def measure(self, mpi, threads, words=(), launch=(), ranks=1, arguments=(), env=None, beside=''):
        """Runs the program with `words` before its command, or with `launch` as the
        launcher's command line."""
        program = [CONFIGURATION.program(mpi, 'busy_threads')]
        command = list(words) + program + list(arguments)
        if launch:
            program_of = CONFIGURATION.launch
            CONFIGURATION.launch = lambda mpi, ranks, command, core_each=False: list(launch) + command
        try:
            result = harness.run_measured(CONFIGURATION, mpi, ranks, threads, command,
                                          report='text,json', env=env, beside=beside)
        finally:
            if launch:
                CONFIGURATION.launch = program_of
        self.assertTrue(result.status == 0 and result.report is not None, result.describe())
        return result

    def check_crowded(self, result, core=None):
        run = result.report['run']
        self.assertEqual(1, run['resources']['crowded_processes_sum'], result.describe())
        self.assertEqual(2, run['hosts'][0]['threads'])
        if core is not None:
            self.assertEqual(str(core), run['hosts'][0]['cpus'])
        # Each thread computes for 300 ms, so that one waits while the other has the core.
        self.assertGreater(run['resources']['waited_for_core_sum_ns'], 250e6)
        text = ' '.join(result.stderr.split())
        self.assertIn('had more threads than cores to run on', text)
        self.assertIn('could have run but had no core, because its threads wanted', text)
        self.assertEqual('red', result.report['quality']['light'])

    def test_one_core(self):
        """A process that may use one core and has two threads."""
        self.check_crowded(self.measure('none', 2, ['taskset', '-c', str(ALLOWED[0])]), ALLOWED[0])

    def group_with_quota(self, cores):
        """The folder of a new cgroup whose processes may use so many cores in all."""
        for base, files in (('/sys/fs/cgroup/cpu', {'cpu.cfs_period_us': '100000',
                                                    'cpu.cfs_quota_us': '%d' % (100000 * cores)}),
                            ('/sys/fs/cgroup', {'cpu.max': '%d 100000' % (100000 * cores)})):
            try:
                folder = tempfile.mkdtemp(prefix='poprt-', dir=base)
            except OSError:
                continue
            self.addCleanup(os.rmdir, folder)
            try:
                for name, text in files.items():
                    with open(os.path.join(folder, name), 'w', encoding='ascii') as file:
                        file.write(text)
                return folder
            except OSError:
                continue
        return self.skipTest('no right to make a cgroup with a quota')

    def test_a_quota_of_the_cgroup(self):
        """Two threads that may use one core in all, whichever it is."""
        folder = self.group_with_quota(1)
        for mpi, ranks, threads in [('none', 1, 2)] + [(mpi, 2, 1) for mpi in CONFIGURATION.mpis]:
            with self.subTest(mpi=mpi):
                result = self.measure(mpi, threads, ranks=ranks, arguments=['10'], words=[
                    'sh', '-c', 'echo $$ > %s/cgroup.procs; exec "$@"' % folder, 'sh'])
                self.assertEqual(1000, result.report['run']['hosts'][0]['quota_millicores'])
                self.assertEqual('red', result.report['quality']['light'])
                text = ' '.join(result.stderr.split())
                self.assertRegex(text, r'its threads wanted \S+ cores at a time and may use 1 '
                                       r'\(a quota of their cgroup\)\. Use at most 1 thread in all')

    @unittest.skipIf(len(ALLOWED) < 2, 'one core')
    def test_bound_by_the_launcher(self):
        """Open MPI binds the only process of a job, and so all its threads, to a core."""
        if 'openmpi' not in CONFIGURATION.mpis:
            self.skipTest('no Open MPI')
        run = CONFIGURATION.mpis['openmpi']['run']
        self.check_crowded(self.measure('openmpi', 2, launch=[run, '-n', '1', '--bind-to', 'core']))

    @unittest.skipIf(len(ALLOWED) < 2, 'one core')
    def test_enough_cores(self):
        """The report says nothing about cores if there are enough."""
        for mpi in ['none'] + list(CONFIGURATION.mpis):
            with self.subTest(mpi=mpi):
                result = self.measure(mpi, 2)
                run = result.report['run']
                self.assertEqual(0, run['resources']['crowded_processes_sum'])
                self.assertNotIn('threads than cores', ' '.join(result.stderr.split()))
                # Two threads of 300 ms each.
                cpu = run['resources']['cpu_user_sum_ns'] + run['resources']['cpu_system_sum_ns']
                self.assertGreater(cpu, 590e6)
                self.assertGreater(run['resources']['peak_memory_max_bytes'], 1 << 20)

    def notes(self, result):
        return ' '.join(result.stderr.split())

    def test_ranks_on_one_core(self):
        """Two ranks that are bound to the same core are named, with the core."""
        core = ALLOWED[-1]
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                result = self.measure(mpi, 1, ['taskset', '-c', str(core)], ranks=2)
                self.assertIn('ranks 0 and 1 of %s may use only the same core %d:'
                              % (os.uname().nodename, core), self.notes(result))
                host = result.report['run']['hosts'][0]
                self.assertEqual([{'cpu': core, 'rank': rank, 'threads': 1} for rank in (0, 1)],
                                 host['shared'])
                self.assertEqual(str(core), host['cpus'])

    def test_what_ran_on_one_core_cannot_be_judged(self):
        """Nor if it was killed, of which as much is known."""
        words = ['taskset', '-c', str(ALLOWED[-1])]
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi), tempfile.TemporaryDirectory(prefix='poprt-e2e-') as folder:
                whole = self.measure(mpi, 1, words, ranks=2, arguments=['7'])
                command = CONFIGURATION.launch(mpi, 2, [
                    *words, 'bash', '-c', UNTIL_BOTH_KEPT, CONFIGURATION.program(mpi, 'busy_threads'),
                    folder])
                killed = harness.run(command, harness.environment(
                    LD_PRELOAD=CONFIGURATION.library(mpi), OMP_NUM_THREADS='1', TMPDIR=folder,
                    POPRT_CHECKPOINT='200ms'), folder)
                path = os.path.join(folder, 'killed.json')
                subprocess.run([CONFIGURATION.command, 'report', folder, '--format', 'json', '-o', path],
                               check=True, stdout=subprocess.DEVNULL)
                said = subprocess.run([CONFIGURATION.command, 'report', folder], check=True,
                                      stdout=subprocess.PIPE).stdout.decode()
                for report, text in ((whole.report, whole.stderr), (harness.read_report(path), said)):
                    about = killed.describe() + text
                    self.assertEqual('red', report['quality']['light'], about)
                    self.assertEqual('waited_for_core', report['quality']['causes'][0]['key'], about)
                    self.assertIn('This run cannot be judged: for ', ' '.join(text.split()))
                    self.assertNotIn('The largest', text)
                    self.assertNotRegex(text, r'(?m)^ .*\d [x!]')
                check = [CONFIGURATION.command, 'check', path, '--min', 'parallel_efficiency=0']
                self.assertEqual(1, subprocess.run(check, stdout=subprocess.DEVNULL).returncode)
                self.assertEqual(0, subprocess.run([*check, '--any-light'],
                                                   stdout=subprocess.DEVNULL).returncode)

    def on_own_cores(self, mpi, env=None, beside=''):
        """Two ranks of one thread, each on a core of its own."""
        choose = ('case ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} in 0) cpu=%d;; *) cpu=%d;; esac;'
                  ' exec taskset -c $cpu "$@"' % tuple(ALLOWED[:2]))
        return self.measure(mpi, 1, ['sh', '-c', choose, 'sh'], ranks=2,
                            env={'POPRT_ROWS': 'process', **(env or {})}, beside=beside)

    @unittest.skipIf(len(ALLOWED) < 2, 'one core')
    def test_ranks_on_cores_of_their_own(self):
        """Nothing is shared where each rank has a core; rows say which."""
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                result = self.on_own_cores(mpi)
                self.assertNotIn('only the same', self.notes(result))
                self.assertNotIn('hardware threads', self.notes(result))
                self.assertEqual([], result.report['run']['hosts'][0]['shared'])
                processes = result.report['processes']
                cores = [str(cpu) for cpu in ALLOWED[:2]]
                self.assertEqual(cores, processes['cpus'])
                self.assertEqual(cores, processes['ran_on'])
                for name in ('cpu_user_ns', 'cpu_system_ns', 'waited_for_core_ns',
                             'voluntary_switches', 'peak_memory_bytes'):
                    total = name.replace('_ns', '_sum_ns').replace('_bytes', '_sum_bytes')
                    total = total if total != name else name + '_sum'
                    self.assertEqual(result.report['run']['resources'][total],
                                     sum(processes[name]), name)
                for cpu, kernel in zip(processes['cpu_user_ns'], processes['cpu_system_ns']):
                    self.assertGreater(cpu + kernel, 290e6)

    def helper(self):
        """The program that asks hwloc."""
        path = os.path.join(os.path.dirname(CONFIGURATION.omp_library), 'poprt-topology')
        if not os.path.exists(path):
            self.skipTest('built without hwloc')
        return path

    def on_host(self, mpi, host, measure):
        """What measure() gives with a library beside which another helper is: it finds the
        host that hwloc's text describes, or none at all."""
        own = CONFIGURATION.library(mpi)
        with tempfile.TemporaryDirectory(prefix='poprt-e2e-') as folder:
            if host:
                path = os.path.join(folder, 'poprt-topology')
                with open(path, 'w', encoding='ascii') as script:
                    script.write("#!/bin/sh\nHWLOC_SYNTHETIC='%s' exec %s\n" % (host, self.helper()))
                os.chmod(path, 0o755)
            CONFIGURATION.replace_library(mpi, shutil.copy(own, folder))
            try:
                return measure()
            finally:
                CONFIGURATION.replace_library(mpi, own)

    @unittest.skipIf(len(ALLOWED) < 2, 'one core')
    def test_one_core_of_two_hardware_threads(self):
        """Two ranks on the two hardware threads of one core, each in a NUMA node of its own;
        all memory is in fact on the first node."""
        with tempfile.TemporaryDirectory(prefix='poprt-e2e-') as folder:
            def put(path, text):
                file = os.path.join(folder, 'sys/devices/system', path)
                os.makedirs(os.path.dirname(file), exist_ok=True)
                with open(file, 'w', encoding='utf-8') as out:
                    out.write(text + '\n')
            both = '%d,%d' % tuple(ALLOWED[:2])
            for i, cpu in enumerate(ALLOWED[:2]):
                put('node/node%d/cpulist' % i, str(cpu))
            put('node/online', '0-1')
            for mpi in CONFIGURATION.mpis:
                with self.subTest(mpi=mpi):
                    result = self.on_host(mpi, 'pack:1 core:1 pu:2(indexes=%s)' % both,
                                          lambda mpi=mpi: self.on_own_cores(
                                              mpi, {'FAKE_HOST': folder},
                                              os.path.join(CONFIGURATION.programs, 'libfake_host.so')))
                    self.assertIn('several hardware threads of a core are used (%s: 2 threads on 1 core)'
                                  % os.uname().nodename, self.notes(result))
                    self.assertEqual([both.replace('0,1', '0-1')],
                                     [result.report['run']['topologies'][0]['cores']])
                    processes = result.report['processes']
                    placed = processes['placed_memory_bytes']
                    if placed[0]:  # the kernel tells where memory is
                        self.assertGreater(placed[0], 1 << 20)
                        self.assertEqual([0, placed[1]], processes['misplaced_memory_bytes'])
                        self.assertEqual([{'node': 0, 'bytes': sum(placed)}],
                                         result.report['run']['hosts'][0]['numa_memory'])

    def test_two_hosts(self):
        """The same core of two hosts is two cores; each host has its own ranks, threads and
        memory, and tells what it consists of."""
        core = str(ALLOWED[-1])
        for mpi in CONFIGURATION.mpis:
            with self.subTest(mpi=mpi):
                result = self.measure(mpi, 2, ['taskset', '-c', core], ranks=4,
                                      env={'POPRT_ROWS': 'process', 'TEST_HOSTS': 'b,a,b,b'},
                                      beside=CONFIGURATION.other_host())
                run, processes = result.report['run'], result.report['processes']
                self.assertEqual(['a', 'b'], [host['name'] for host in run['hosts']])
                host_of = [run['hosts'][i]['name'] for i in processes['host']]
                self.assertEqual(['b', 'a', 'b', 'b'], host_of)
                self.assertEqual(1, len(run['topologies']))
                for host in run['hosts']:
                    ranks = [i for i in range(4) if host_of[i] == host['name']]
                    self.assertEqual((len(ranks), 2 * len(ranks), core),
                                     (host['processes'], host['threads'], host['cpus']))
                    self.assertEqual(ranks, [user['rank'] for user in host['shared']])
                    self.assertEqual(sum(processes['peak_memory_bytes'][i] for i in ranks),
                                     host['peak_memory_sum_bytes'])
                    self.assertEqual(run['topologies'][0]['id'], host['topology'])
                notes = self.notes(result)
                self.assertIn('ranks 0, 2 and 3 of b may use only the same core %s:' % core, notes)
                self.assertNotIn('of a are bound', notes)
                self.assertIn('cores, 2 hosts', notes)
                self.assertIn('Load Balance Out', notes)

    @unittest.skipIf(len(ALLOWED) < 2, 'one core')
    def test_cores_of_the_job_that_nobody_uses(self):
        """A batch system has given the job cores on which its threads must not run."""
        result = self.measure('none', 1, ['taskset', '-c', str(ALLOWED[0])],
                              env={'SLURM_JOB_ID': '81234', 'SLURM_STEP_ID': '0'})
        run = result.report['run']
        rest = cpus_of(run['hosts'][0]['allotted']) - {ALLOWED[0]}
        self.assertEqual({'system': 'Slurm', 'id': '81234', 'step': '0', 'name': None,
                          'queue': None, 'nodes': None, 'cpus_on_nodes': None,
                          'cpus_per_task': None}, run['job'])
        self.assertIn('Slurm job 81234.0 |', result.stderr)
        self.assertTrue(rest)
        self.assertIn('of this report are those of its threads', self.notes(result))
        alone = self.measure('none', 1, ['taskset', '-c', str(ALLOWED[0])])
        self.assertNotIn('of this report are those of its threads', self.notes(alone))

    def test_what_else_decides_how_it_runs(self):
        result = self.measure('none', 1)
        run = result.report['run']
        self.assertEqual(result.report['tool']['version'], run['measured_by'])
        self.assertEqual('1', run['environment']['OMP_NUM_THREADS'])
        self.assertFalse(set(run['environment']) & {'PATH', 'HOME', 'LD_PRELOAD'})
        folder = os.path.dirname(os.path.realpath(run['command'][0]))
        git = shutil.which('git')
        if git is None:
            return
        said = subprocess.run([git, '-C', folder, '-c', 'safe.directory=*', 'rev-parse', 'HEAD'],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.assertEqual(said.stdout.decode().strip() or None, run['git']['commit'])

    def test_sleep(self):
        """Useful time in which threads sleep is a note, and not the main finding."""
        result = self.measure('none', 1, arguments=['sleep'])
        text = harness.report_of_cores_for_all(CONFIGURATION, result.report)
        self.assertIn('of the useful time threads neither had a core nor waited for one', text)
        self.assertNotIn('could have run but had no core', text)
        self.assertGreaterEqual(result.report['run']['resources']['voluntary_switches_sum'], 1)
        busy = self.notes(self.measure('none', 1))
        self.assertNotIn('neither had a core nor waited for one', busy)

    def test_a_child_process(self):
        for mpi in ('none', *CONFIGURATION.mpis):
            with self.subTest(mpi=mpi):
                result = self.measure(mpi, 1, arguments=['child'])
                child = result.report['run']['resources']['child_processes_cpu_sum_ns']
                self.assertTrue(299e6 < child < 400e6, result.describe())
                share = child / (child + harness.core_ns(result.report))
                text = ' '.join(result.stderr.split())
                if share > 0.06:
                    self.assertIn('which are not measured, most of it in child processes', text)

    @unittest.skipUnless(shutil.which('lstopo-no-graphics'), 'no lstopo of hwloc')
    def test_topology_is_that_of_hwloc(self):
        """Cores, sockets and NUMA nodes are those that hwloc finds."""
        text = subprocess.run(['lstopo-no-graphics', '--of', 'xml', '--whole-system', '--no-io'],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60,
                              check=True).stdout
        self.helper()
        objects = list(xml.etree.ElementTree.fromstring(text).iter('object'))

        def sets(kind):
            return sorted(sorted(cpus_of_mask(each.get('cpuset'))) for each in objects
                          if each.get('type') == kind)

        topology = self.measure('none', 1).report['run']['topologies'][0]
        for key, kind in (('cores', 'Core'), ('sockets', 'Package'), ('numa_nodes', 'NUMANode')):
            own = sorted(sorted(cpus_of(part)) for part in topology[key].split(' '))
            self.assertEqual(sets(kind), own, key)

    def test_topology_is_not_known_without_hwloc(self):
        """Nor is it what the program's own hwloc is told."""
        for mpi in ['none'] + list(CONFIGURATION.mpis):
            with self.subTest(mpi=mpi):
                result = self.on_host(mpi, '', lambda mpi=mpi: self.measure(mpi, 1))
                run = result.report['run']
                self.assertEqual([], run['topologies'])
                self.assertEqual('', run['hosts'][0]['topology'])
                self.assertIn('topology not known', result.stderr)
        self.helper()
        told = self.measure('none', 1, env={'HWLOC_SYNTHETIC': 'pack:3 core:5 pu:1'}).report['run']
        self.assertEqual(self.measure('none', 1).report['run']['topologies'], told['topologies'])


if __name__ == '__main__':
    CONFIGURATION, arguments = harness.command_line()
    unittest.main(argv=arguments)
