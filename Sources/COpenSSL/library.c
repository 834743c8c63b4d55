#include "copenssl.h"
#include "cposix.h"

#include <pthread.h>

struct copenssl_functions copenssl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *reason;

static void open_library(void) {
  // Only OpenSSL 3.0 and newer have all of them.
#define NAME(name) #name "\0"
  static struct cposix_library library = {"libcrypto.so.3\0", COPENSSL_FUNCTIONS(NAME), &copenssl};
  reason = cposix_open(&library);
}

const char *copenssl_load(void) {
  pthread_once(&once, open_library);
  return reason;
}
