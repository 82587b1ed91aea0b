/* OpenMP programs of known shape for GCC's runtime, in C, C++ and Fortran. A
 * shape has the same name and does the same in all three languages.
 * gcc_shapes_main.c is the main program of each; the models of the shapes are
 * in tests/e2e/gcc_scenarios.py.
 *
 * A shape returns a number that is the same under every OpenMP runtime.
 */
#ifndef POPRT_TESTS_E2E_GCC_SHAPES_H_
#define POPRT_TESTS_E2E_GCC_SHAPES_H_

#ifdef __cplusplus
extern "C" {
#endif

/* work() of shapes.h, whose unit belongs to the main program. */
void shape_work(double units);

long schedules(void);
long sections(void);
long singles(void);
long critical(void);
long ordered(void);
long dependences(void);
long taskloop(void);
long reductions(void);

#ifdef __cplusplus
}
#endif

#endif /* POPRT_TESTS_E2E_GCC_SHAPES_H_ */
