// Content codings (RFC 9110 section 8.4.1) by the libraries that libcurl itself uses for them.
//
// libcurl would decode as well, but it does not notice that a body ends too early, and it takes no
// second member of gzip (RFC 1952 section 2.2). No header of these libraries is needed to build:
// what is declared here is their stable interface.

#include "ccurl.h"

#include <limits.h>
#include <stdlib.h>

struct zlib_stream {
  const unsigned char *next_in;
  unsigned available_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned available_out;
  unsigned long total_out;
  const char *message;
  void *state;
  void *(*allocate)(void *, unsigned, unsigned);
  void (*release)(void *, void *);
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
};
struct zstd_input {
  const void *bytes;
  size_t size;
  size_t position;
};
struct zstd_output {
  void *bytes;
  size_t size;
  size_t position;
};

enum { ZLIB_OK = 0, ZLIB_STREAM_END = 1, ZLIB_BUFFER_ERROR = -5 };
enum { BROTLI_ERROR = 0, BROTLI_SUCCESS = 1 };
// RFC 9659: no more than a window of 8 MiB.
enum { ZSTD_WINDOW_LOG_MAX = 100, ZSTD_WINDOW_LOG = 23 };

// The functions of one coding, looked up when the first body has it.
#define FIND(name, type) \
  type name = (type)(uintptr_t)ccurl_function(#name); \
  if (!name) return 0

typedef int (*zlib_init)(struct zlib_stream *, int, const char *, int);
typedef int (*zlib_step)(struct zlib_stream *, int);
typedef int (*zlib_end)(struct zlib_stream *);
typedef void *(*brotli_create)(void *, void *, void *);
typedef int (*brotli_step)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
typedef void (*brotli_destroy)(void *);
typedef void *(*zstd_create)(void);
typedef size_t (*zstd_set)(void *, int, int);
typedef size_t (*zstd_step)(void *, struct zstd_output *, struct zstd_input *);
typedef unsigned (*zstd_is_error)(size_t);
typedef size_t (*zstd_destroy)(void *);

struct ccurl_decoder {
  enum ccurl_coding coding;
  struct zlib_stream zlib;
  int has_stream;
  void *state;
};

int ccurl_has_coding(enum ccurl_coding coding) {
  static const char *const names[] = {"inflateInit2_", "inflateInit2_",
                                      "BrotliDecoderDecompressStream", "ZSTD_decompressStream"};
  return ccurl_function(names[coding]) != NULL;
}

struct ccurl_decoder *ccurl_decoder_new(enum ccurl_coding coding) {
  struct ccurl_decoder *decoder = calloc(1, sizeof *decoder);
  if (decoder) decoder->coding = coding;
  return decoder;
}

static int begin_zlib(struct ccurl_decoder *decoder, unsigned char first) {
  FIND(inflateInit2_, zlib_init);
  // Some servers send `deflate` without the header of zlib (RFC 9110 section 8.4.1.2).
  int has_header = (first & 0x0f) == 8 && first >> 4 <= 7;
  int window = decoder->coding == CCURL_GZIP ? 15 + 16 : has_header ? 15 : -15;
  decoder->has_stream =
      inflateInit2_(&decoder->zlib, window, "1", (int)sizeof decoder->zlib) == ZLIB_OK;
  return decoder->has_stream;
}

static enum ccurl_decoded step_zlib(struct ccurl_decoder *decoder, const uint8_t **input,
                                    size_t *count, uint8_t *output, size_t *size) {
  FIND(inflate, zlib_step);
  if (!decoder->has_stream && !begin_zlib(decoder, **input)) return CCURL_DECODE_FAILED;
  struct zlib_stream *zlib = &decoder->zlib;
  unsigned given = *count > UINT_MAX ? UINT_MAX : (unsigned)*count;
  unsigned space = *size > UINT_MAX ? UINT_MAX : (unsigned)*size;
  *zlib = (struct zlib_stream){.next_in = *input, .available_in = given, .next_out = output,
                               .available_out = space, .state = zlib->state,
                               .allocate = zlib->allocate, .release = zlib->release};
  int code = inflate(zlib, 0);
  *input += given - zlib->available_in;
  *count -= given - zlib->available_in;
  *size = space - zlib->available_out;
  if (code == ZLIB_STREAM_END) return CCURL_DECODE_ENDED;
  return code == ZLIB_OK || code == ZLIB_BUFFER_ERROR ? CCURL_DECODE_MORE : CCURL_DECODE_FAILED;
}

static enum ccurl_decoded step_brotli(struct ccurl_decoder *decoder, const uint8_t **input,
                                      size_t *count, uint8_t *output, size_t *size) {
  FIND(BrotliDecoderCreateInstance, brotli_create);
  FIND(BrotliDecoderDecompressStream, brotli_step);
  if (!decoder->state) decoder->state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
  if (!decoder->state) return CCURL_DECODE_FAILED;
  size_t space = *size;
  int code = BrotliDecoderDecompressStream(decoder->state, count, input, &space, &output, NULL);
  *size -= space;
  if (code == BROTLI_SUCCESS) return CCURL_DECODE_ENDED;
  return code == BROTLI_ERROR ? CCURL_DECODE_FAILED : CCURL_DECODE_MORE;
}

static enum ccurl_decoded step_zstd(struct ccurl_decoder *decoder, const uint8_t **input,
                                    size_t *count, uint8_t *output, size_t *size) {
  FIND(ZSTD_createDStream, zstd_create);
  FIND(ZSTD_DCtx_setParameter, zstd_set);
  FIND(ZSTD_decompressStream, zstd_step);
  FIND(ZSTD_isError, zstd_is_error);
  if (!decoder->state) {
    decoder->state = ZSTD_createDStream();
    if (!decoder->state) return CCURL_DECODE_FAILED;
    ZSTD_DCtx_setParameter(decoder->state, ZSTD_WINDOW_LOG_MAX, ZSTD_WINDOW_LOG);
  }
  struct zstd_input in = {*input, *count, 0};
  struct zstd_output out = {output, *size, 0};
  size_t code = ZSTD_decompressStream(decoder->state, &out, &in);
  *input += in.position;
  *count -= in.position;
  *size = out.position;
  if (ZSTD_isError(code)) return CCURL_DECODE_FAILED;
  return code == 0 ? CCURL_DECODE_ENDED : CCURL_DECODE_MORE;
}

enum ccurl_decoded ccurl_decoder_step(struct ccurl_decoder *decoder, const uint8_t **input,
                                      size_t *count, uint8_t *output, size_t *size) {
  switch (decoder->coding) {
    case CCURL_BROTLI: return step_brotli(decoder, input, count, output, size);
    case CCURL_ZSTD: return step_zstd(decoder, input, count, output, size);
    default: return step_zlib(decoder, input, count, output, size);
  }
}

static int release(struct ccurl_decoder *decoder) {
  if (decoder->has_stream) {
    FIND(inflateEnd, zlib_end);
    inflateEnd(&decoder->zlib);
  }
  if (decoder->state && decoder->coding == CCURL_BROTLI) {
    FIND(BrotliDecoderDestroyInstance, brotli_destroy);
    BrotliDecoderDestroyInstance(decoder->state);
  } else if (decoder->state) {
    FIND(ZSTD_freeDStream, zstd_destroy);
    ZSTD_freeDStream(decoder->state);
  }
  return 1;
}

void ccurl_decoder_free(struct ccurl_decoder *decoder) {
  if (!decoder) return;
  release(decoder);
  free(decoder);
}
