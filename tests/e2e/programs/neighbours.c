/* Programs with plugins that use OpenMP, and the plugins (-DPLUGIN): some have
 * another OpenMP runtime than the program, some are loaded late.
 *
 *   neighbours PLUGIN...   loads each, calls it, and unloads it; +PLUGIN stays
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* The sum of 0 to 99, by loops, tasks and locks. */
__attribute__((unused)) static int sum_of_all(void) {
  int sum = 0, done = 0;
#ifdef _OPENMP
#pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(dynamic)
#endif
  for (int i = 0; i < 100; ++i) sum += i;
#ifdef _OPENMP
#pragma omp parallel num_threads(2)
#pragma omp single
#endif
  for (int i = 0; i < 10; ++i) {
#ifdef _OPENMP
#pragma omp task shared(done)
#pragma omp critical
#endif
    ++done;
  }
  return done == 10 ? sum : -1;
}

#ifdef PLUGIN
int plugin_sum(void) { return sum_of_all(); }
#else
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const int stays = argv[i][0] == '+';
    void* const plugin = dlopen(argv[i] + stays, RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
      printf("%s\n", dlerror());
      return 1;
    }
    int (*call)(void) = (int (*)(void))(size_t)dlsym(plugin, "plugin_sum");
    printf("before %d\n", sum_of_all());
    printf("plugin %d\n", call());
    printf("behind %d\n", sum_of_all());
    if (stays) continue;
    if (dlclose(plugin) != 0) return 1;
    printf("unloaded %d\n", sum_of_all());
  }
  return 0;
}
#endif
