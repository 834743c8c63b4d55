// libcrypto, opened on first use: nothing links to it. Every function that is called under
// its own name is defined here, hidden from other libraries, and passes the call on.

#define _GNU_SOURCE

#include "copenssl.h"
#include "functions.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

// Each is looked up when it is first called: a look-up costs page faults too.
#define FIELD(result, name, parameters, arguments) _Atomic(__typeof__(&name)) name;
static struct { FUNCTIONS(FIELD) } library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *handle;
static const char *reason;
static char reason_text[256];
static void (*_Atomic missing_handler)(const char *reason);

static void refuse(const char *format, const char *what) {
  snprintf(reason_text, sizeof reason_text, format, what);
  reason = reason_text;
}

static void open_library(void) {
  handle = dlopen("libcrypto.so.3", RTLD_LAZY | RTLD_LOCAL);
  if (!handle) {
    const char *text = dlerror();
    return refuse("%s", text ? text : "unknown reason");
  }
  // One that only OpenSSL 3.0 and newer have.
  if (!dlsym(handle, "EVP_MD_fetch")) refuse("%s is older than OpenSSL 3.0", "it");
}

const char *copenssl_load(void) {
  pthread_once(&once, open_library);
  return reason;
}

void copenssl_on_missing(void (*handler)(const char *reason)) {
  atomic_store(&missing_handler, handler);
}

const void *copenssl_function(const char *name) {
  return copenssl_load() ? NULL : dlsym(handle, name);
}

// A call cannot fail for want of its library: what it returns would mean something else.
static _Noreturn void end(const char *text) {
  void (*handler)(const char *) = atomic_load(&missing_handler);
  if (handler) handler(text);
  fprintf(stderr, "%s\n", text);
  abort();
}

static void *find(const char *name) {
  if (copenssl_load()) end(reason);
  void *function = dlsym(handle, name);
  if (function) return function;
  char text[128];
  snprintf(text, sizeof text, "it has no function %s", name);
  end(text);
}

#pragma GCC visibility push(hidden)
#define FORWARD(result, name, parameters, arguments)                                          \
  result name parameters {                                                                    \
    __typeof__(&name) function = atomic_load_explicit(&library.name, memory_order_acquire);   \
    if (!function) {                                                                          \
      function = (__typeof__(&name))find(#name);                                              \
      atomic_store_explicit(&library.name, function, memory_order_release);                   \
    }                                                                                         \
    return function arguments;                                                                \
  }
FUNCTIONS(FORWARD)
#pragma GCC visibility pop
