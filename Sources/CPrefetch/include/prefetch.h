#ifndef CPREFETCH_H
#define CPREFETCH_H

// What Swift has no word for: asks for a cache line without waiting for it. Any address will do, for it is never read.
static inline __attribute__((always_inline)) void banyan_prefetch(const void *address) {
    __builtin_prefetch(address, 1, 3);
}

#endif
