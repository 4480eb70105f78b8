#ifndef CXXHASH_SHIM_H
#define CXXHASH_SHIM_H
// Header only: every caller gets its own inlined copy, and nothing is linked.
#define XXH_INLINE_ALL
#include <xxhash.h>
#endif
