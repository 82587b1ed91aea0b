/* shapes.h for the Fortran programs (shapes.f90). */
#include "shapes.h"

void shapes_begin(double unit_microseconds);
void shapes_work(double units);
void shapes_abort(void);

void shapes_begin(double unit_microseconds) { begin_shapes(unit_microseconds); }

void shapes_work(double units) { work(units); }

void shapes_abort(void) { abort(); }
