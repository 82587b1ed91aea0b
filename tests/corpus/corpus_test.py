#!/usr/bin/env python3
"""What poprt says of runs of applications and of programs of known shape, against verdicts
of people who had only the tables, the program and how it was run (verdicts.json).

  corpus_test.py POPRT

A verdict is changed with a reason only: `corrected` says why. A place that a reader has named and
poprt does not has a reason, too: `not_named`.
"""

import json
import os
import re
import subprocess
import sys
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
NONE = 'none may be named'
RUNS = os.path.join(FOLDER, 'runs')
sys.path.insert(0, os.path.join(FOLDER, '..', 'e2e'))
import cut  # noqa: E402
import invariants  # noqa: E402 (of that folder)
import screen  # noqa: E402 (likewise)

POPRT = sys.argv.pop(1) if len(sys.argv) > 1 else ''
with open(os.path.join(FOLDER, 'verdicts.json'), encoding='utf-8') as verdicts:
    VERDICTS = json.load(verdicts)


def said(name, *options):
    """What `poprt report` writes of a run."""
    return subprocess.run([POPRT, 'report', *options, os.path.join(RUNS, name + '.json')],
                          stdout=subprocess.PIPE, text=True, check=True).stdout


def finding(name):
    """The finding with what follows from it, and the metric that poprt would explain next."""
    text = said(name)
    text = text[text.index(' Main finding'):].split('\n\n')[0]
    following = re.search(r'poprt explain (\w+)', text)
    return ' '.join(text.split()), following and following.group(1)


def recommendations(name):
    """Those of the assessment of a run alone."""
    text = subprocess.run([POPRT, 'scale', '--assessment', os.path.join(RUNS, name + '.json')],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    text = text[text.index('\n Recommendations\n'):].split('---\n', 1)[1]
    return ' '.join(text.split(' To write:')[0].split())


class Corpus(unittest.TestCase):
    maxDiff = None

    def test_each_run_has_a_verdict(self):
        self.assertEqual(sorted(VERDICTS),
                         sorted(os.path.splitext(name)[0] for name in os.listdir(RUNS)))

    def test_runs_are_whole(self):
        for name in VERDICTS:
            with self.subTest(name):
                run = json.loads(said(name, '--format', 'json'))
                for places in cut.PLACES:  # of which the last ones are missing
                    run[places] = []
                self.assertEqual([], invariants.violations(run))

    def test_finding(self):
        agreed = 0
        for name, verdict in VERDICTS.items():
            with self.subTest(name):
                loss = {} if verdict['loss'] == NONE else verdict['loss']
                text, metric = finding(name)
                self.assertEqual(loss.get('metric'), metric)
                region = re.search(r'Region (\w+) lost most', text)
                self.assertEqual(loss.get('region'), region and region.group(1))
                self.assertIn(loss.get('says', ''), text)
                rank = re.search(r'(?:Rank|for rank) (\d+)', text)
                self.assertEqual(loss.get('rank'), rank and int(rank.group(1)))
                place = re.search(r' is in (?:MPI_|the parallel region )(.*?)(?: \(|\. |, most)',
                                  text)
                # poprt names no place that has less than most of it.
                expected = None if 'not_named' in loss else loss.get('place')
                self.assertEqual(expected, place and place.group(1).replace(',', ''))
                agreed += 1
        print('%d of %d findings agree' % (agreed, len(VERDICTS)))

    def test_assessment_recommends_by_the_finding(self):
        for name, verdict in VERDICTS.items():
            with self.subTest(name):
                text = recommendations(name)
                if verdict['loss'] == NONE:
                    self.assertNotRegex(text, r'poprt explain|core time\. It means')
                    self.assertIn(text, finding(name)[0])
                    continue
                meaning = re.search(r'The largest loss, [\d.]+ %, is .*? \([\d.]+\): (.*?)\. '
                                    r'[A-Z]', finding(name)[0] + ' Z').group(1)
                self.assertRegex(text, r'^[A-Z][\w ]+ of \w+: [\d.]+ % of the job')
                self.assertIn("core time. It means that %s. " % meaning, text)
                self.assertIn('.%s ' % verdict['loss']['metric'],
                              text[text.index('poprt explain'):])
                if 'may be waits for a core' in meaning:
                    self.assertEqual(text.count('It means'), text.count(meaning))

    def test_sentences_agree_with_their_screen(self):
        for name in VERDICTS:
            with self.subTest(name):
                self.assertEqual([], screen.contradictions_of_file(
                    POPRT, os.path.join(RUNS, name + '.json')))

    def test_light(self):
        for name, verdict in VERDICTS.items():
            with self.subTest(name):
                quality = json.loads(said(name, '--format', 'json'))['quality']
                self.assertEqual(verdict['light'], quality['light'])
                self.assertEqual(sorted(verdict['causes']),
                                 sorted(cause['key'] for cause in quality['causes']))


if __name__ == '__main__':
    unittest.main()
