// The content codings of zlib (RFC 9110 section 8.4.1), by the library that libcurl itself uses.
//
// libcurl would decode as well, but it does not notice that a body ends too early, and it takes no
// second member of gzip (RFC 1952 section 2.2). No header of zlib is needed to build: what is
// declared here is its stable interface.

#include "ccurl.h"
#include "cposix.h"

#include <limits.h>
#include <pthread.h>
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

enum { ZLIB_OK = 0, ZLIB_STREAM_END = 1, ZLIB_BUFFER_ERROR = -5 };

static struct {
  int (*inflateInit2_)(struct zlib_stream *, int, const char *, int);
  int (*inflate)(struct zlib_stream *, int);
  int (*inflateEnd)(struct zlib_stream *);
} zlib;
static struct cposix_library library = {
    "libz.so.1\0", "inflateInit2_\0inflate\0inflateEnd\0", &zlib};
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_open;

static void load(void) { is_open = !cposix_open(&library); }

struct ccurl_decoder {
  enum ccurl_coding coding;
  struct zlib_stream stream;
  int has_stream;
};

struct ccurl_decoder *ccurl_decoder_new(enum ccurl_coding coding) {
  pthread_once(&once, load);
  struct ccurl_decoder *decoder = is_open ? calloc(1, sizeof *decoder) : NULL;
  if (decoder) decoder->coding = coding;
  return decoder;
}

static int begin(struct ccurl_decoder *decoder, unsigned char first) {
  // Some servers send `deflate` without the header of zlib (RFC 9110 section 8.4.1.2).
  int has_header = (first & 0x0f) == 8 && first >> 4 <= 7;
  int window = decoder->coding == CCURL_GZIP ? 15 + 16 : has_header ? 15 : -15;
  decoder->has_stream =
      zlib.inflateInit2_(&decoder->stream, window, "1", (int)sizeof decoder->stream) == ZLIB_OK;
  return decoder->has_stream;
}

enum ccurl_decoded ccurl_decoder_step(struct ccurl_decoder *decoder, const uint8_t **input,
                                      size_t *count, uint8_t *output, size_t *size) {
  if (!decoder->has_stream && !begin(decoder, **input)) return CCURL_DECODE_FAILED;
  struct zlib_stream *stream = &decoder->stream;
  unsigned given = *count > UINT_MAX ? UINT_MAX : (unsigned)*count;
  unsigned space = *size > UINT_MAX ? UINT_MAX : (unsigned)*size;
  *stream = (struct zlib_stream){.next_in = *input, .available_in = given, .next_out = output,
                               .available_out = space, .state = stream->state,
                               .allocate = stream->allocate, .release = stream->release};
  int code = zlib.inflate(stream, 0);
  *input += given - stream->available_in;
  *count -= given - stream->available_in;
  *size = space - stream->available_out;
  if (code == ZLIB_STREAM_END) return CCURL_DECODE_ENDED;
  // Without progress, there must have been no input: who calls again with the same would loop for ever.
  int goes_on = code == ZLIB_OK || (code == ZLIB_BUFFER_ERROR && given == 0);
  return goes_on ? CCURL_DECODE_MORE : CCURL_DECODE_FAILED;
}

void ccurl_decoder_free(struct ccurl_decoder *decoder) {
  if (!decoder) return;
  if (decoder->has_stream) zlib.inflateEnd(&decoder->stream);
  free(decoder);
}
