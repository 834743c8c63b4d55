// Security tokens: keys and certificates of a PKCS #11 module.
//
// These functions keep state of the process, and are not safe from several threads at a time.

#ifndef COPENSSL_TOKEN_H
#define COPENSSL_TOKEN_H

#include <stddef.h>
#include <stdint.h>

#include <openssl/evp.h>

/// Which tokens and objects are meant; NULL, or a count of 0, for any.
typedef struct {
  const char *module;
  const char *token, *manufacturer, *model, *serial;
  const char *label;
  const uint8_t *identifier;
  size_t identifier_count;
} copenssl_token_query;

typedef enum {
  COPENSSL_TOKEN_OK,
  /// The module cannot be opened; or its function failed, with a number of PKCS #11.
  COPENSSL_TOKEN_NO_MODULE,
  COPENSSL_TOKEN_FAILED,
  COPENSSL_TOKEN_ABSENT,
  COPENSSL_TOKEN_SEVERAL,
  COPENSSL_TOKEN_NEEDS_PIN,
  COPENSSL_TOKEN_WRONG_PIN,
  COPENSSL_TOKEN_LOCKED,
  COPENSSL_TOKEN_CANCELLED,
  COPENSSL_TOKEN_NO_OBJECT,
  COPENSSL_TOKEN_SEVERAL_OBJECTS,
  /// OpenSSL has neither a provider nor an engine.
  COPENSSL_TOKEN_NO_ENGINE,
  /// The provider or the engine could not load the key.
  COPENSSL_TOKEN_NO_KEY,
} copenssl_token_result;

typedef struct {
  /// What the token says of itself, with a NUL at the end.
  char token[33], manufacturer[33], model[17], serial[17];
  /// Whether a wrong PIN has been entered, and whether the next one locks the token.
  int pin_count_low, pin_final_try;
  /// Whether its keys can be used only after a login with a PIN.
  int needs_pin;
  /// Of the private key; label and identifier of COPENSSL_TOKEN_KEY_LIMIT bytes at most.
  char label[256];
  uint8_t identifier[256];
  size_t label_count, identifier_count;
  /// The number of PKCS #11 of a failure, and where it came from.
  unsigned long number;
} copenssl_token_key;

/// Finds the only token of the query, logs in if that is needed, and finds the only private key.
///
/// Without a PIN, COPENSSL_TOKEN_NEEDS_PIN is returned if one is needed. The login lasts until the
/// process ends.
copenssl_token_result copenssl_token_find(const copenssl_token_query *query, const uint8_t *pin,
                                          size_t pin_count, copenssl_token_key *key);

/// Calls the function with each certificate of the token of the query, those of the objects only
/// if `is_any` is 0. What the token hides from those who have not logged in is left out.
copenssl_token_result copenssl_token_certificates(
    const copenssl_token_query *query, int is_any, copenssl_token_key *token,
    void (*found)(const uint8_t *bytes, size_t count, void *box), void *box);

/// Loads a private key by the provider for the scheme pkcs11, or else by the engine.
copenssl_token_result copenssl_token_load(const char *module, const char *uri, const uint8_t *pin,
                                          size_t pin_count, EVP_PKEY **key);

#endif
