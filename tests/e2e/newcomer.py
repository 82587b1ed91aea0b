"""A new user with an installed poprt and an MPI, and nothing else from the build: an
empty home, an environment of its own, and the documents."""

import os
import re
import subprocess

import harness

FENCE = re.compile(r'^```(\w*)\n(.*?)^```$', re.MULTILINE | re.DOTALL)
# The beginnings of lines that are typed; all other lines are output.
TYPED = ('$ ', 'poprt ', 'mpirun ', 'mpicc ', 'cmake ', 'cd ', 'for ', 'export ', 'eval ',
         'LD_PRELOAD=', 'scripts/', 'mkdir ', 'apt ')
NUMBER = re.compile(r'[-+~]?\d[\d.:,]*(?: [x!+](?= |$))?')


def install(configuration, prefix):
    subprocess.run(['cmake', '--install', os.path.dirname(configuration.examples), '--prefix',
                    prefix], stdout=subprocess.DEVNULL, check=True)


def environment(prefix, home):
    return {'HOME': home, 'TMPDIR': home, 'LC_ALL': 'C.UTF-8', 'OMP_NUM_THREADS': '2',
            'PATH': os.path.join(prefix, 'bin') + ':/usr/bin:/bin',
            # For a machine with few cores, and for root, which Open MPI has to be told
            # twice.
            'OMPI_MCA_rmaps_base_oversubscribe': '1', 'OMPI_MCA_hwloc_base_binding_policy': 'none',
            'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}


def with_names_here(line, mpi):
    """The line as it is typed where both MPIs are installed side by side, as on
    Debian. Only Open MPI has to be told that there are few cores."""
    line = re.sub(r'\b(mpirun|mpicc) ', r'\1.%s ' % mpi, line)
    return line.replace(' --oversubscribe', '') if mpi == 'mpich' else line


def typed(script, env, folder):
    return harness.run(['bash', '-c', script], env, folder)


def blocks(text):
    """[(line that is typed, what is shown then)] for each block of a document that has
    such lines. A block of output only has '' for the line."""
    for language, body in FENCE.findall(text):
        lines = body.splitlines()
        if language not in ('', 'sh'):
            continue
        if not lines[0].startswith(TYPED):
            yield [('', body)]
        elif lines[0].startswith('$ '):
            parts = body[2:].split('\n$ ')
            yield [tuple(part.rstrip('\n').partition('\n')[::2]) for part in parts]
        else:
            yield [(line, '') for line in lines]


def lines_of(text, numbers):
    """The lines with single blanks. Without `numbers`, also without numbers and with
    bars of one length, which depend on what was measured."""
    if not numbers:
        text = re.sub('#+', '#', NUMBER.sub('0', text))
    return [' '.join(line.split()) for line in text.splitlines() if line.strip()]
