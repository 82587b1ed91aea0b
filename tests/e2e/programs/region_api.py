"""Everything of poprt.py, in shapes of known length: region_api.py UNIT_US [mpi]"""
import asyncio
import inspect
import os
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../../include'))
import poprt

unit_s = 1e-6 * float(sys.argv[1])
rank = 0
if len(sys.argv) > 2:
    from mpi4py import MPI
    rank = MPI.COMM_WORLD.Get_rank()
hot = poprt.region('hot')


@poprt.region
def assemble(n):
    """What it says."""
    time.sleep(n * unit_s)
    return n


@poprt.region('step')
def step(n):
    if n < 0:
        raise ValueError(n)
    return assemble(n)


class Solver:
    @poprt.region
    def solve(self):
        with hot, hot:
            time.sleep(unit_s)
        return self


for _ in range(10):
    with hot:
        time.sleep(unit_s / 2)
assert step(2) == 2 and assemble.__doc__ == 'What it says.' and assemble.__name__ == 'assemble'
try:
    step(-1)
    assert False
except ValueError:
    pass
assert isinstance(Solver().solve(), Solver)


@poprt.region
def generated(first):
    try:
        got = yield first
        time.sleep(unit_s)
        got = yield got
    except KeyError:
        got = 'caught'
    return got


@poprt.region
async def awaited(value):
    await asyncio.sleep(unit_s)
    return value


@poprt.region
async def streamed(ends):
    try:
        got = yield 1
        await asyncio.sleep(unit_s)
        try:
            yield got
        except KeyError:
            yield 'caught'
    finally:
        ends.append('end')


def use_generators():
    assert inspect.isgeneratorfunction(generated)
    generator = generated('first')
    assert next(generator) == 'first'
    time.sleep(unit_s)
    assert generator.send('sent') == 'sent'
    try:
        generator.throw(KeyError())
        assert False
    except StopIteration as end:
        assert end.value == 'caught'


async def use_coroutines():
    assert inspect.iscoroutinefunction(awaited) and inspect.isasyncgenfunction(streamed)
    assert await awaited('value') == 'value'
    ends = []
    stream = streamed(ends)
    assert await stream.__anext__() == 1
    assert await stream.asend('sent') == 'sent'
    assert await stream.athrow(KeyError()) == 'caught' and ends == []
    assert [value async for value in stream] == [] and ends == ['end']
    stream = streamed(ends)
    assert await stream.__anext__() == 1
    await stream.aclose()
    assert ends == ['end', 'end']
    stream = streamed(ends)
    try:
        await stream.__anext__()
        await stream.athrow(ValueError('passes'))
        assert False
    except ValueError as error:
        assert str(error) == 'passes' and len(ends) == 3


use_generators()
asyncio.new_event_loop().run_until_complete(use_coroutines())
thread = threading.Thread(target=lambda: hot(lambda: None)())
thread.start()
thread.join()
poprt.metadata('mesh', 512)
poprt.metadata('rank', 'first %d' % rank)
poprt.metadata('r\u00e4nk', '\u00e9')
with poprt.region('r\u00e9gion'):
    time.sleep(unit_s)
print('version "%s"' % poprt.version())
