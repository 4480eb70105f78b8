#include <lz4.h>
#include <malloc.h>

// Keeps the compiler from carrying what it read across this point: it has to be read again. Costs nothing by itself.
static inline void bench_barrier(void) { __asm__ volatile("" ::: "memory"); }
