#include <lz4.h>
#include <malloc.h>

// Keeps the compiler from carrying what it read across this point: it has to be read again. Costs nothing by itself.
static inline void bench_barrier(void) { __asm__ volatile("" ::: "memory"); }

// Uses what is there, as far as the compiler can tell.
static inline void bench_use(const void *value) { __asm__ volatile("" : : "r"(value) : "memory"); }
