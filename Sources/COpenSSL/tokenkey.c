// Private keys of tokens as EVP_PKEY, by a provider or by the engine of libp11.

#include "copenssl.h"
#include "copenssl_token.h"

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
  OSSL_STORE_CTX *store = OSSL_STORE_open_ex(uri, NULL, NULL, method, pin, NULL, NULL, NULL);
  if (!store) return NULL;
  OSSL_STORE_expect(store, OSSL_STORE_INFO_PKEY);
  while (!key && !OSSL_STORE_eof(store)) {
    OSSL_STORE_INFO *info = OSSL_STORE_load(store);
    if (!info) break;
    if (OSSL_STORE_INFO_get_type(info) == OSSL_STORE_INFO_PKEY)
      key = OSSL_STORE_INFO_get1_PKEY(info);
    OSSL_STORE_INFO_free(info);
  }
  OSSL_STORE_close(store);
  return key;
}

static ENGINE *engine;
static char engine_module[1024];

// Looked up by name: an OpenSSL without engines has none of these functions.
#define ENGINE_FUNCTION(result, name, parameters) \
  result(*name) parameters = (result(*) parameters)copenssl_function("ENGINE_" #name)

static copenssl_token_result open_engine(const char *module) {
  ENGINE_FUNCTION(ENGINE *, by_id, (const char *));
  ENGINE_FUNCTION(int, init, (ENGINE *));
  ENGINE_FUNCTION(int, ctrl_cmd_string, (ENGINE *, const char *, const char *, int));
  if (engine)
    return strcmp(engine_module, module) == 0 ? COPENSSL_TOKEN_OK : COPENSSL_TOKEN_NO_KEY;
  if (!by_id || !init || !ctrl_cmd_string || strlen(module) >= sizeof engine_module)
    return COPENSSL_TOKEN_NO_ENGINE;
  OPENSSL_init_crypto(OPENSSL_INIT_ENGINE_DYNAMIC, NULL);
  ENGINE *found = by_id("pkcs11");
  if (!found) return COPENSSL_TOKEN_NO_ENGINE;
  // It writes to standard error otherwise.
  ctrl_cmd_string(found, "QUIET", NULL, 1);
  if (ctrl_cmd_string(found, "MODULE_PATH", module, 0) != 1 || init(found) != 1)
    return COPENSSL_TOKEN_NO_ENGINE;
  strcpy(engine_module, module);
  engine = found;
  return COPENSSL_TOKEN_OK;
}

copenssl_token_result copenssl_token_load(const char *module, const char *uri, const uint8_t *pin,
                                          size_t pin_count, EVP_PKEY **key) {
  ENGINE_FUNCTION(EVP_PKEY *, load_private_key, (ENGINE *, const char *, UI_METHOD *, void *));
  struct pin once = {pin, pin_count, 0};
  UI_METHOD *method = UI_UTIL_wrap_read_pem_callback(give_pin, 0);
  copenssl_token_result result = method ? COPENSSL_TOKEN_OK : COPENSSL_TOKEN_FAILED;
  OSSL_STORE_LOADER *loader = OSSL_STORE_LOADER_fetch(NULL, "pkcs11", NULL);
  *key = NULL;
  ERR_clear_error();
  if (result == COPENSSL_TOKEN_OK && loader) {
    *key = load_by_provider(uri, method, &once);
  } else if (result == COPENSSL_TOKEN_OK && (result = open_engine(module)) == COPENSSL_TOKEN_OK) {
    *key = load_private_key(engine, uri, method, &once);
  }
  OSSL_STORE_LOADER_free(loader);
  UI_destroy_method(method);
  if (result == COPENSSL_TOKEN_OK && !*key) result = COPENSSL_TOKEN_NO_KEY;
  return result;
}
