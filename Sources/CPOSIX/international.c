// International names by libidn2, which libcurl needs on Debian.

#include "cposix.h"

#include <pthread.h>
#include <stdio.h>

// The numbers of idn2.h.
enum { NFC_INPUT = 1, NONTRANSITIONAL = 8 };

typedef int convert_function(const char *name, char **result, int flags);
static struct {
  convert_function *to_ascii, *to_unicode;
  void (*release)(void *memory);
  const char *(*text)(int code);
} idn;
static struct cposix_library library = {
    "libidn2.so.0\0",
    "idn2_to_ascii_8z\0idn2_to_unicode_8z8z\0idn2_free\0idn2_strerror\0", &idn};
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_open;

static void load(void) { is_open = !cposix_open(&library); }

static int convert(convert_function **function, int flags, const char *name, char *buffer,
                   size_t size) {
  pthread_once(&once, load);
  if (!is_open) return CPOSIX_IDN_MISSING;
  char *result = NULL;
  int code = (*function)(name, &result, flags);
  int length = snprintf(buffer, size, "%s", code ? idn.text(code) : result);
  if (code) return CPOSIX_IDN_REFUSED;
  idn.release(result);
  return length < 0 || (size_t)length >= size ? CPOSIX_IDN_REFUSED : 0;
}

int cposix_idn_ascii(const char *name, char *buffer, size_t size) {
  return convert(&idn.to_ascii, NFC_INPUT | NONTRANSITIONAL, name, buffer, size);
}

int cposix_idn_unicode(const char *name, char *buffer, size_t size) {
  return convert(&idn.to_unicode, 0, name, buffer, size);
}
