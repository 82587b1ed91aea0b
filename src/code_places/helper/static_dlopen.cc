// For a helper that is linked statically, into which nothing can be loaded:
// libdw tries to load libdebuginfod before main.

// The linker puts it in the place of dlopen() (--wrap).
extern "C" void* __wrap_dlopen(const char*, int) { return nullptr; }
