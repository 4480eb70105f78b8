#ifndef CLZ4_SHIM_H
#define CLZ4_SHIM_H
#include <lz4.h>
#include <lz4frame.h>
#include <lz4hc.h>

// Decodes for callers who have checked the stored bytes with a hash of their own. Before LZ4 1.9.4 there is no such
// option, and the frame's checksums are computed all the same.
static inline size_t CLZ4_decompress_checked(
    LZ4F_dctx *context, void *target, size_t *room, const void *source, size_t *given) {
    LZ4F_decompressOptions_t options = {0};
#if LZ4_VERSION_NUMBER >= 10904
    options.skipChecksums = 1;
#endif
    return LZ4F_decompress(context, target, room, source, given, &options);
}
#endif
