/* What the shapes of tasks have in common. */
#ifndef POPRT_TESTS_E2E_OMP_TASK_SHAPES_H_
#define POPRT_TESTS_E2E_OMP_TASK_SHAPES_H_

#include "openmp_shapes.h"

/* What dependences are on, and what depend(...) may say of them. */
static int x, y, many[4];

#endif /* POPRT_TESTS_E2E_OMP_TASK_SHAPES_H_ */
