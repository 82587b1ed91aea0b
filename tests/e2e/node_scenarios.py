"""Shapes of other groups once more, with ranks that believe to be on several hosts
(programs/other_host.c): clocks then travel in messages between hosts and through shared
memory inside them, and each load balance has parts inside hosts and between them."""

import dataclasses

from scenario import SCENARIOS, parse_sizes


def halves(rank, ranks):
    """The first ranks on one host, the last on the other."""
    return 'first' if 2 * rank < ranks else 'last'


def in_turn(rank, ranks):
    return 'odd' if rank % 2 else 'even'


def one_and_rest(rank, ranks):
    """Hosts with different numbers of ranks."""
    return 'rest' if rank else 'one'


def nodes(name, hosts, openmpi, mpich, group='basic'):
    """The shape `name` of a group, on hosts(rank, ranks)."""
    known = next(each for each in SCENARIOS if each.name == name and each.group == group)
    sizes = {'openmpi': parse_sizes(openmpi), 'mpich': parse_sizes(mpich), 'none': []}
    SCENARIOS.append(dataclasses.replace(known, group='nodes', sizes=sizes, hosts=hosts))


# No shape twice: its name is the test's.
nodes('rank_imbalance', halves, '4x1', '2x1')
nodes('sendrecv', in_turn, '4x1', '4x1', 'p2p')
nodes('wildcard', one_and_rest, '4x1', '4x1', 'p2p')
nodes('synchronous', halves, '4x1', '4x1', 'p2p')
nodes('alltoall', one_and_rest, '4x1', '4x1', 'collectives')
nodes('chain_barrier', in_turn, '4x1', '4x1')
nodes('both_imbalances', halves, '4x2', '4x2', 'hybrid')
nodes('unequal_threads', halves, '4x2', '2x4', 'hybrid')
nodes('regions', in_turn, '4x2', '2x2', 'hybrid')
