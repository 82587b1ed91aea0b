"""Models of the shapes in tests/e2e/programs.

Each function in the modules named here is the model of the C function of the same name,
and declares where it runs: `sizes` are ranks x threads. What follows from it (model.py)
is what the library must report of the C program.
"""

# Each module registers its scenarios, in this order.
import mpi_scenarios  # noqa: F401
import message_scenarios  # noqa: F401
import region_scenarios  # noqa: F401
import fortran_scenarios  # noqa: F401
import omp_scenarios  # noqa: F401
import hybrid_scenarios  # noqa: F401
import omp_sync_scenarios  # noqa: F401
import omp_task_scenarios  # noqa: F401
import gcc_scenarios  # noqa: F401
import node_scenarios  # noqa: F401
from scenario import SCENARIOS  # noqa: F401
