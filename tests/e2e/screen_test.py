#!/usr/bin/env python3
"""Tests screen.py: that it finds what contradicts, and nothing else; and that no report of
the golden run files contradicts itself.

usage: screen_test.py POPRT GOLDEN
"""

import json
import pathlib
import re
import string
import sys
import tempfile
import unittest

import screen

POPRT, GOLDEN = sys.argv[1], pathlib.Path(sys.argv[2])
CORPUS = GOLDEN.parent / 'corpus' / 'runs'
PATHS = sorted([*GOLDEN.glob('run*/**/*.json'), *CORPUS.glob('*.json')])
SCREEN = """
 Light  amber: for 7.5 % (limit 5 %) of the core time threads could have run but had no core.

 Main finding  40.9 % of the core time was useful. The largest loss, $loss %, is
               MPI Transfer ($value): time goes into moving data.
 Try next      poprt explain $next run.json

 Where 8 cores x 1.459 s = 11.67 core-s went
   useful                 40.9 %  ################
   transfer in MPI        22.3 %  #########

 Loss  In the bars MPI Transfer is part of transfer in MPI ($bar %).

 MPI, critical path, % of run time               lost: % of the job's core time
                                Global      solve    lost
 run time                       1.459 s   755.6 ms
 Parallel Efficiency              40.9 x     62.5 !  59.1
   MPI Transfer                   71.4 !     99.7    28.6

 Note  much of it is useful ($note %).
"""
TRUE = {'loss': '28.6', 'value': '71.4', 'bar': '22.3', 'next': 'mpi_transfer_efficiency',
        'note': '40.9'}
RUN = {'quality': {'causes': [{'key': 'waited_for_core', 'value': 0.075, 'limit': 0.05}]},
       'regions': [{'accumulators': {'mpi_sum_ns': 100, 'mpi_io_sum_ns': 25, 'useful_sum_ns': 0,
                                     'serial_sum_ns': 0, 'openmp_weighted_ns': 0}}]}


# Of a run that is worth a caution in nearly every way, and what the notes say of those that
# the light only names.
CAUSES = ['waited_for_core', 'unmeasured_threads', 'devices', 'overhead', 'lost_clocks',
          'unwrapped_calls', 'closure_error']
CAUSES_IN_NOTES = ['most of it in child processes', '`target nowait`', 'poprt itself took about',
                   'of the clocks that processes send', 'MPIX_Comm_agree', 'states of a thread differ']


def write_many_causes(report):
    run, quality = report['run'], report['quality']
    core_ns = run['threads'] * report['regions'][0]['accumulators']['all_ns']
    run['resources']['child_processes_cpu_sum_ns'] = core_ns // 12
    run['devices']['target_on_host_sum_ns'] = core_ns // 16
    run['mpi']['unwrapped_calls'] = [{'name': name, 'processes': 3, 'wrapped': False} for name in (
        'MPIX_Comm_agree', 'MPIX_Comm_shrink', 'MPI_Isendrecv', 'MPI_Isendrecv_replace')]
    quality.update(overhead_ns=core_ns // 12, lost_clocks=1, closure_error_ns=1000000)
    run['job'].update(system='Slurm', id='81234', step='0', name='solver', queue='compute')
    run['metadata'] = {'mesh': '512', 'size': '1e6'}


def found(text=SCREEN, run=RUN, **values):
    return screen.contradictions(string.Template(text).substitute({**TRUE, **values}), run)


class Screens(unittest.TestCase):
    def test_what_agrees(self):
        self.assertEqual([], found())

    def test_each_number_of_the_finding(self):
        # As once: "largest loss 59.1 % MPI Transfer" beside 28.6 in the table.
        self.assertIn('the column `lost` says 28.6', ' '.join(found(loss='59.1')))
        self.assertIn('no table or bar has 12.3', found(value='12.3')[0])
        self.assertIn('22.0 of transfer in mpi', ' '.join(found(bar='22.0')))
        # The number of another row is none of its own.
        self.assertIn('40.9 of mpi transfer', found(value='40.9')[0])
        self.assertIn('28.6 of transfer in mpi', found(bar='28.6')[0])

    def test_the_other_sentences(self):
        self.assertIn('explains load_balance', found(next='load_balance')[0])
        self.assertIn('41.0 of useful', found(note='41.0')[0])
        self.assertIn('7.5 % is of no cause', found(run={'quality': {}, **{
            'regions': RUN['regions']}})[0])

    def test_what_comes_late(self):
        self.assertEqual([], screen.late_answers(SCREEN))
        self.assertEqual(['Try next: not in the first 25 lines'],
                         screen.late_answers(SCREEN.replace(' Try next', 20 * '\n' + ' Try next')))
        cut = SCREEN.index(' Try next')
        on_line_25 = '\n' * (24 - SCREEN[:cut].count('\n')) + SCREEN
        self.assertEqual([], screen.late_answers(on_line_25))
        self.assertEqual(['Try next: not in the first 25 lines'], screen.late_answers(
            re.sub('( Try next .*)', r'\1\n               run.json', on_line_25)))

    def test_many_causes_of_any_run_leave_room(self):
        tried = 0
        with tempfile.TemporaryDirectory() as folder:
            for path in PATHS:
                run = json.loads(path.read_text())
                if any(not run['run'].get(part) for part in ('mpi', 'devices', 'job', 'resources')):
                    continue
                write_many_causes(run)
                changed = pathlib.Path(folder, path.name)
                changed.write_text(json.dumps(run))
                with self.subTest(path.name):
                    self.assertEqual([], screen.late_answers_of_file(POPRT, str(changed)))
                tried += 1
        self.assertGreater(tried, 30)

    def test_many_causes_leave_room_for_the_finding(self):
        run = json.loads((CORPUS / '08-write.json').read_text())
        write_many_causes(run)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, 'written_by_a_job_of_many_troubles.json')
            path.write_text(json.dumps(run))
            self.assertEqual([], screen.late_answers_of_file(POPRT, str(path)))
            report, sentences = screen.sentences_of_file(POPRT, str(path))
            self.assertEqual([], screen.contradictions_of_file(POPRT, str(path)))
        self.assertEqual('amber', report['quality']['light'])
        self.assertEqual(CAUSES, [each['key'] for each in report['quality']['causes']])
        notes = ' '.join(text for label, text in sentences if label == 'Note')
        for words in CAUSES_IN_NOTES:
            self.assertIn(words, notes)

    def test_a_bar_with_the_name_of_the_loss(self):
        text = SCREEN.replace('transfer in MPI   ', 'MPI Transfer      ')
        self.assertIn('the bar of mpi transfer says 22.3', ' '.join(found(text)))

    def test_parts_of_the_time_in_mpi(self):
        text = SCREEN.replace('time goes into moving data', 'IO % of the time in MPI is MPI-IO')
        self.assertEqual([], found(text.replace('IO %', '25.0 %')))
        self.assertIn('no table or bar has 26.0', found(text.replace('IO %', '26.0 %'))[0])

    def test_each_fact_with_another_number(self):
        unseen = {pattern for pattern, _ in screen.FACTS}
        reports = [screen.sentences_of_file(POPRT, str(path)) for path in PATHS]
        # None of these files is of a run that left a region out.
        left_out = {'longest_path': {'length_ns': 5, 'without': [{'run_ns': 2}]}}
        sentence = 'Sharing or speeding up its work would save at most 60 % of the run time.'
        self.assertEqual([], list(screen.wrong_facts('Main finding', sentence, left_out)))
        for report, sentences in [*reports, (left_out, [('Main finding', sentence)])]:
            for label, sentence in sentences:
                for pattern in sorted(unseen):
                    match = re.search(pattern, sentence)
                    if not match:
                        continue
                    begin = match.start(1)
                    wrong = sentence[:begin] + '9' + sentence[begin:]
                    if list(screen.wrong_facts(label, wrong, report)):
                        unseen.remove(pattern)
        self.assertEqual(set(), unseen)

    def test_golden_run_files_and_corpus(self):
        self.assertGreater(len(PATHS), 60)
        for path in PATHS:
            with self.subTest(path.name):
                self.assertEqual([], screen.contradictions_of_file(POPRT, str(path)))
                self.assertEqual([], screen.late_answers_of_file(POPRT, str(path)))

    def test_tables_of_several_runs(self):
        said = 0
        for folder in sorted({path.parent for path in GOLDEN.glob('runs/**/*.json')}):
            with self.subTest(folder.name):
                text = screen.scaling_of_files(POPRT, sorted(map(str, folder.glob('*.json'))))
                self.assertEqual([], screen.contradictions_of_scaling(text))
                # Each number of the finding, with another first digit.
                begin = text.find(screen.FINDING)
                for number in re.finditer(screen.NUMBER, text[begin:] if begin >= 0 else ''):
                    place = begin + number.start()
                    wrong = text[:place] + '9' + text[place:]
                    self.assertEqual(1, len(screen.contradictions_of_scaling(wrong)), number.group())
                    said += 1
        self.assertGreater(said, 10)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
