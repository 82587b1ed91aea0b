// A library with code for devices (-DPLUGIN), and a program without OpenMP that
// opens it privately and calls it: device_plugin LIBRARY
#ifdef PLUGIN
#include <time.h>

double step(double x) {
#pragma omp target map(tofrom : x)
  {
    const struct timespec time = {0, 100000000};
    nanosleep(&time, NULL);
    x += 1;
  }
  return x;
}
#else
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* const library =
      argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  double (*const step)(double) =
      library == NULL ? NULL : (double (*)(double))dlsym(library, "step");
  if (step == NULL) return 1;
  printf("%g\n", step(1));
  return 0;
}
#endif
