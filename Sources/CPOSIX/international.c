// International names by libidn2, which libcurl needs on Debian; nothing links to it.

#define _GNU_SOURCE
#include "cposix.h"

#include <dlfcn.h>
#include <stdio.h>

// The numbers of idn2.h.
enum { NFC_INPUT = 1, NONTRANSITIONAL = 8 };

typedef int (*convert_function)(const char *name, char **result, int flags);
typedef void (*free_function)(void *memory);
typedef const char *(*text_function)(int code);

static int convert(const char *library, const char *function, int flags, const char *name,
                   char *buffer, size_t size) {
  // Opened anew each time: after the first time that is only a look-up.
  void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (!handle) return CPOSIX_IDN_MISSING;
  convert_function call = (convert_function)dlsym(handle, function);
  free_function release = (free_function)dlsym(handle, "idn2_free");
  text_function text = (text_function)dlsym(handle, "idn2_strerror");
  if (!call || !release || !text) return CPOSIX_IDN_MISSING;
  char *result = NULL;
  int code = call(name, &result, flags);
  int length = snprintf(buffer, size, "%s", code ? text(code) : result);
  if (code) return CPOSIX_IDN_REFUSED;
  release(result);
  return length < 0 || (size_t)length >= size ? CPOSIX_IDN_REFUSED : 0;
}

int cposix_idn_ascii(const char *library, const char *name, char *buffer, size_t size) {
  return convert(library, "idn2_to_ascii_8z", NFC_INPUT | NONTRANSITIONAL, name, buffer, size);
}

int cposix_idn_unicode(const char *library, const char *name, char *buffer, size_t size) {
  return convert(library, "idn2_to_unicode_8z8z", 0, name, buffer, size);
}
