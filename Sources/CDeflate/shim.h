// What of zlib is macros, which Swift does not see: streams without a header (RFC 1951).
#include <zlib.h>

static inline int zonefolder_deflate_begin(z_stream *stream, int level, int window_bits, int memory_level) {
    return deflateInit2(stream, level, Z_DEFLATED, -window_bits, memory_level, Z_DEFAULT_STRATEGY);
}

static inline int zonefolder_inflate_begin(z_stream *stream, int window_bits) {
    return inflateInit2(stream, -window_bits);
}
