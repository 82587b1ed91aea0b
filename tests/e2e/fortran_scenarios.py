"""Models of the shapes of mpi_shapes.c that also exist in Fortran."""

import dataclasses

import message_scenarios  # noqa: F401  they register the scenarios that are repeated here
import mpi_scenarios  # noqa: F401
import region_scenarios  # noqa: F401
from scenario import SCENARIOS

# The same shapes by each of Fortran's bindings (fortran_shapes.F90), in groups.
_FORTRAN_SHAPES = """
    chain ring_waitall ring_waitany ring_waitsome ring_testall wildcard sendrecv persistent
    all_to_all_calls rooted_calls nonblocking_collectives communicators
    half_region nested_regions region_misuse pcontrol"""
_FORTRAN = {
    'mpif_h': 'chain ring_waitall ring_waitany wildcard rooted_calls half_region',
    'mpif_h_more': """ring_waitsome sendrecv persistent all_to_all_calls nonblocking_collectives
                      communicators pcontrol""",
    'use_mpi': _FORTRAN_SHAPES,
    'use_mpi_f08': _FORTRAN_SHAPES,
}


def _fortran():
    shapes = {s.name: s for s in SCENARIOS if s.program == 'mpi_shapes'}
    for group, names in _FORTRAN.items():
        for name in names.split():
            few = shapes[name].sizes['openmpi'] == [(2, 1)]
            sizes = {'openmpi': [(2, 1)] if few else [(4, 1)], 'mpich': [(2, 1)], 'none': []}
            SCENARIOS.append(dataclasses.replace(
                shapes[name], group=group, program=group.replace('_more', '') + '_shapes',
                sizes=sizes))


_fortran()
