/* A library that is loaded while the program runs.  ASKED is the function that
 * it calls (CMakeLists.txt). */
#include <unistd.h>

int poprt_late_answer(void) { return (int)ASKED(); }
