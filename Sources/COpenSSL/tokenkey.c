// Private keys of tokens as EVP_PKEY, by a provider or by the engine of libp11.

#include "crypto.h"
#include "copenssl_token.h"
#include "cposix.h"

#include <openssl/store.h>
#include <openssl/ui.h>
#include <string.h>

// The PIN, which is given once: what asks again has been refused, and tokens lock.
struct pin {
  const uint8_t *bytes;
  size_t count;
  int is_used;
};

static int give_pin(char *buffer, int size, int is_writing, void *box) {
  struct pin *pin = box;
  (void)is_writing;
  if (!pin || !pin->bytes || pin->is_used || pin->count > (size_t)size) return -1;
  pin->is_used = 1;
  memcpy(buffer, pin->bytes, pin->count);
  return (int)pin->count;
}

// The first private key of the URI by the provider that stores of this scheme are opened by.
static EVP_PKEY *load_by_provider(const char *uri, UI_METHOD *method, struct pin *pin) {
  EVP_PKEY *key = NULL;
  OSSL_STORE_CTX *store = crypto.OSSL_STORE_open_ex(uri, NULL, NULL, method, pin, NULL, NULL, NULL);
  if (!store) return NULL;
  crypto.OSSL_STORE_expect(store, OSSL_STORE_INFO_PKEY);
  while (!key && !crypto.OSSL_STORE_eof(store)) {
    OSSL_STORE_INFO *info = crypto.OSSL_STORE_load(store);
    if (!info) break;
    if (crypto.OSSL_STORE_INFO_get_type(info) == OSSL_STORE_INFO_PKEY)
      key = crypto.OSSL_STORE_INFO_get1_PKEY(info);
    crypto.OSSL_STORE_INFO_free(info);
  }
  crypto.OSSL_STORE_close(store);
  return key;
}

static ENGINE *engine;
static char engine_module[1024];

// An OpenSSL without engines has none of these functions.
static struct {
  ENGINE *(*by_id)(const char *);
  int (*init)(ENGINE *);
  int (*remove)(ENGINE *);
  int (*ctrl_cmd_string)(ENGINE *, const char *, const char *, int);
  EVP_PKEY *(*load_private_key)(ENGINE *, const char *, UI_METHOD *, void *);
} engines;
static struct cposix_library engine_library = {
    "libcrypto.so.3\0",
    "ENGINE_by_id\0ENGINE_init\0ENGINE_remove\0ENGINE_ctrl_cmd_string\0ENGINE_load_private_key\0",
    &engines};

static copenssl_token_result open_engine(const char *module) {
  if (engine)
    return strcmp(engine_module, module) == 0 ? COPENSSL_TOKEN_OK : COPENSSL_TOKEN_NO_KEY;
  if (cposix_open(&engine_library) || strlen(module) >= sizeof engine_module)
    return COPENSSL_TOKEN_NO_ENGINE;
  crypto.OPENSSL_init_crypto(OPENSSL_INIT_ENGINE_DYNAMIC, NULL);
  ENGINE *found = engines.by_id("pkcs11");
  if (!found) return COPENSSL_TOKEN_NO_ENGINE;
  // It writes to standard error otherwise.
  engines.ctrl_cmd_string(found, "QUIET", NULL, 1);
  if (engines.ctrl_cmd_string(found, "MODULE_PATH", module, 0) != 1 || engines.init(found) != 1)
    return COPENSSL_TOKEN_NO_ENGINE;
  // libcurl makes each listed engine the default one, and this one makes no EC keys.
  engines.remove(found);
  strcpy(engine_module, module);
  engine = found;
  return COPENSSL_TOKEN_OK;
}

copenssl_token_result copenssl_token_load(const char *module, const char *uri, const uint8_t *pin,
                                          size_t pin_count, EVP_PKEY **key) {
  struct pin once = {pin, pin_count, 0};
  UI_METHOD *method = crypto.UI_UTIL_wrap_read_pem_callback(give_pin, 0);
  copenssl_token_result result = method ? COPENSSL_TOKEN_OK : COPENSSL_TOKEN_FAILED;
  OSSL_STORE_LOADER *loader = crypto.OSSL_STORE_LOADER_fetch(NULL, "pkcs11", NULL);
  *key = NULL;
  crypto.ERR_clear_error();
  if (result == COPENSSL_TOKEN_OK && loader) {
    *key = load_by_provider(uri, method, &once);
  } else if (result == COPENSSL_TOKEN_OK && (result = open_engine(module)) == COPENSSL_TOKEN_OK) {
    *key = engines.load_private_key(engine, uri, method, &once);
  }
  crypto.OSSL_STORE_LOADER_free(loader);
  crypto.UI_destroy_method(method);
  if (result == COPENSSL_TOKEN_OK && !*key) result = COPENSSL_TOKEN_NO_KEY;
  return result;
}
