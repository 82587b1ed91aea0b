#!/usr/bin/env python3
"""Cuts run files to what the light and the finding are made of, so that many of them fit
into the repository: NAME.poprt.json becomes NAME.json in the folder.

  cut.py RUN_FILE... FOLDER

Metrics are computed anew by every reader. Of the lists of places in the program only those
with the most time are kept, and rows of single ranks and threads only of Global and the
regions that lost most. What a user has set, and where the program was started, is left out.
"""

import json
import os
import sys

MOST_PLACES = 8  # of each list, by region
MOST_REGIONS = 6  # with rows: Global and those that a report shows, and one
PLACES = ('parallel_regions', 'task_constructs', 'region_parallel_regions', 'mpi_calls',
          'openmp_constructs')


def first_of_each_region(places):
    """They are sorted by their time."""
    found = {}
    for place in places:
        found.setdefault(place.get('region'), []).append(place)
    return [place for of_region in found.values() for place in of_region[:MOST_PLACES]]


def cut(run):
    """Changes the run in place."""
    for place in PLACES:
        run[place] = first_of_each_region(run[place])
    for number, region in enumerate(run['regions']):
        del region['metrics']
        if number >= MOST_REGIONS:
            region['rows'] = region['thread_rows'] = None
    run['windows'].update(region=None, visits=0, length_ns=0, level=0, list=[])
    run['run']['environment'] = {}
    run['run']['command'] = [os.path.basename(word) for word in run['run']['command']]
    # Not kept, but made anew by what is tested.
    del run['quality']['light'], run['quality']['causes']


def main():
    *files, folder = sys.argv[1:]
    for path in files:
        with open(path, encoding='utf-8') as file:
            run = json.load(file)
        cut(run)
        name = os.path.basename(path).replace('.poprt.json', '.json')
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            json.dump(run, file, separators=(',', ':'))
            file.write('\n')


if __name__ == '__main__':
    main()
