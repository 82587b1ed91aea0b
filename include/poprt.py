"""poprt: marks the parts of a program for which efficiencies are reported.

    import poprt

    with poprt.region("solve"):
        ...

    @poprt.region             # by the function's name; @poprt.region("name")
    def assemble(): ...

Conventions:
 - This file needs only Python 3.6. Without the preloaded library everything here
   does nothing.
 - All may be called from any thread. Names are cut after 127 bytes of UTF-8.
 - No exceptions are raised: misuse is counted and named in the report.

The functions are those of poprt.h; docs/regions.md has examples by task.
"""
import ctypes
import functools
import inspect

__all__ = ["region", "metadata", "version"]


def _library():
    """The library's functions; None without the preloaded library."""
    try:
        # PyDLL keeps the GIL: the calls are shorter than releasing it.
        functions = ctypes.PyDLL(None)
        functions.pop_region_find.argtypes = [ctypes.c_char_p]
        for function in (functions.pop_region_enter, functions.pop_region_leave):
            function.argtypes = [ctypes.c_int]
            function.restype = None
        functions.pop_metadata.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        functions.pop_metadata.restype = None
        functions.pop_version.restype = ctypes.c_char_p
        return functions
    except AttributeError:
        return None


_POP = _library()


def _bytes(text):
    return str(text).encode("utf-8", "replace")


def _inside(region, function):
    """The function with its whole body in the region. It stays of the same kind
    (generator, coroutine), because callers may check that."""
    def measured(*args, **kwargs):
        with region:
            return function(*args, **kwargs)

    def generator(*args, **kwargs):
        with region:
            return (yield from function(*args, **kwargs))

    async def coroutine(*args, **kwargs):
        with region:
            return await function(*args, **kwargs)

    async def asynchronous_generator(*args, **kwargs):
        # `yield from`, which Python does not allow here.
        with region:
            body = function(*args, **kwargs)
            step = body.__anext__()
            while True:
                try:
                    value = await step
                except StopAsyncIteration:
                    return
                try:
                    step = body.asend((yield value))
                except GeneratorExit:
                    await body.aclose()
                    raise
                except BaseException as error:
                    step = body.athrow(error)

    if inspect.iscoroutinefunction(function):
        measured = coroutine
    elif inspect.isasyncgenfunction(function):
        measured = asynchronous_generator
    elif inspect.isgeneratorfunction(function):
        measured = generator
    return functools.wraps(function)(measured)


class region:
    """The region `name`, open inside `with`. A decorated function behaves as if its
    whole body were inside `with`. The region of a generator or a coroutine is open
    from its first step to its last, also while it is suspended. An object may be
    used repeatedly, by several threads, and inside itself."""

    def __new__(cls, name):
        if callable(name):  # @poprt.region
            return cls(getattr(name, "__qualname__", type(name).__name__))(name)
        return super().__new__(cls)

    def __init__(self, name):
        self.name = name
        self._handle = _POP.pop_region_find(_bytes(name)) if _POP else 0

    def __enter__(self):
        if self._handle > 0:
            _POP.pop_region_enter(self._handle)
        return self

    def __exit__(self, *_):
        if self._handle > 0:
            _POP.pop_region_leave(self._handle)
        return False

    def __call__(self, function):
        if self._handle <= 0:
            return function
        return _inside(self, function)


def metadata(key, value):
    """Sets metadata of the run file. The last value of a key counts; an empty one
    removes the key. If several processes set a key, the value of the lowest rank
    counts."""
    if _POP:
        _POP.pop_metadata(_bytes(key), _bytes(value))


def version():
    """The version of the preloaded library; "" without the library."""
    return _POP.pop_version().decode() if _POP else ""
