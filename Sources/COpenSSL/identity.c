// PKCS #12, PKCS #7 and certificate requests: what is easier with C's stacks.

#include "copenssl.h"

#include <limits.h>
#include <pthread.h>

int copenssl_certificate_count(const STACK_OF(X509) *stack) {
  return stack == NULL ? 0 : sk_X509_num(stack);
}

X509 *copenssl_certificate(const STACK_OF(X509) *stack, int index) {
  return sk_X509_value(stack, index);
}

void copenssl_free_certificates(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }

// A library context of its own: the old algorithms must not come into use elsewhere. It is kept,
// because certificates that were read in it refer to it.
static pthread_once_t legacy_once = PTHREAD_ONCE_INIT;
static OSSL_LIB_CTX *legacy_context;

static void make_legacy_context(void) {
  OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();
  if (context != NULL && OSSL_PROVIDER_load(context, "default") != NULL
      && OSSL_PROVIDER_load(context, "legacy") != NULL) {
    legacy_context = context;
  } else {
    OSSL_LIB_CTX_free(context);
  }
}

// The key as DER in the default context: it must not outlive the context that decoded it.
static EVP_PKEY *key_in_default_context(EVP_PKEY *key) {
  unsigned char *bytes = NULL;
  const unsigned char *cursor;
  EVP_PKEY *copy = NULL;
  PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
  int count = info == NULL ? -1 : i2d_PKCS8_PRIV_KEY_INFO(info, &bytes);
  PKCS8_PRIV_KEY_INFO_free(info);
  if (count <= 0) return NULL;
  cursor = bytes;
  copy = d2i_AutoPrivateKey(NULL, &cursor, count);
  OPENSSL_clear_free(bytes, (size_t)count);
  return copy;
}

static copenssl_pkcs12_result parse(PKCS12 *file, const char *password, EVP_PKEY **key,
                                    X509 **certificate, STACK_OF(X509) **others) {
  if (PKCS12_mac_present(file)) {
    int is_empty = password == NULL || *password == 0;
    if (!PKCS12_verify_mac(file, password, -1)
        && !(is_empty && PKCS12_verify_mac(file, NULL, 0))
        && !(is_empty && PKCS12_verify_mac(file, "", 0)))
      return ERR_peek_error() == 0 ? COPENSSL_PKCS12_PASSWORD : COPENSSL_PKCS12_INVALID;
  } else if (password != NULL && *password != 0) {
    // With a password, OpenSSL 3.0 reads no file without MAC.
    PKCS12_set_mac(file, password, -1, NULL, 0, 1, NULL);
  }
  if (!PKCS12_parse(file, password, key, certificate, others)) return COPENSSL_PKCS12_INVALID;
  return COPENSSL_PKCS12_READ;
}

copenssl_pkcs12_result copenssl_pkcs12_read(const uint8_t *bytes, size_t count,
                                            const char *password, int legacy, EVP_PKEY **key,
                                            X509 **certificate, STACK_OF(X509) **others) {
  copenssl_pkcs12_result result = COPENSSL_PKCS12_INVALID;
  if (legacy) pthread_once(&legacy_once, make_legacy_context);
  if (legacy && legacy_context == NULL) return COPENSSL_PKCS12_NO_LEGACY;
  BIO *input = BIO_new(BIO_s_mem());
  PKCS12 *file = PKCS12_init_ex(NID_pkcs7_data, legacy ? legacy_context : NULL, NULL);
  size_t written = 0;
  if (input != NULL && file != NULL && BIO_write_ex(input, bytes, count, &written) == 1
      && d2i_PKCS12_bio(input, &file) != NULL) {
    result = parse(file, password, key, certificate, others);
  } else {
    result = COPENSSL_PKCS12_MALFORMED;
    file = NULL;
  }
  if (legacy && *key != NULL) {
    EVP_PKEY *copy = key_in_default_context(*key);
    EVP_PKEY_free(*key);
    *key = copy;
  }
  PKCS12_free(file);
  BIO_free_all(input);
  return result;
}

PKCS12 *copenssl_pkcs12_make(const char *password, const char *name, EVP_PKEY *key,
                             X509 *certificate, STACK_OF(X509) *others, int legacy) {
  int cipher = legacy ? NID_pbe_WithSHA1And3_Key_TripleDES_CBC : NID_aes_256_cbc;
  int rounds = legacy ? 2048 : 100000;
  PKCS12 *file = PKCS12_create(password, name, key, certificate, others, cipher, cipher, rounds,
                               -1, 0);
  if (file != NULL
      && !PKCS12_set_mac(file, password, -1, NULL, 0, rounds,
                         legacy ? EVP_sha1() : EVP_sha256())) {
    PKCS12_free(file);
    file = NULL;
  }
  return file;
}

STACK_OF(X509) *copenssl_certificate_list(void) { return sk_X509_new_null(); }

int copenssl_append_certificate(STACK_OF(X509) *stack, X509 *certificate) {
  if (!X509_up_ref(certificate)) return 0;
  if (sk_X509_push(stack, certificate) > 0) return 1;
  X509_free(certificate);
  return 0;
}

STACK_OF(X509) *copenssl_pkcs7_certificates(const uint8_t *bytes, size_t count) {
  const unsigned char *cursor = bytes;
  STACK_OF(X509) *certificates = NULL;
  PKCS7 *message = count > LONG_MAX ? NULL : d2i_PKCS7(NULL, &cursor, (long)count);
  if (message == NULL) return NULL;
  if (cursor == bytes + count && OBJ_obj2nid(message->type) == NID_pkcs7_signed
      && message->d.sign != NULL && message->d.sign->cert != NULL)
    certificates = X509_chain_up_ref(message->d.sign->cert);
  PKCS7_free(message);
  return certificates;
}

int copenssl_append_name(GENERAL_NAMES *names, int type, const uint8_t *bytes, int count) {
  GENERAL_NAME *name = GENERAL_NAME_new();
  ASN1_STRING *value =
      ASN1_STRING_type_new(type == GEN_IPADD ? V_ASN1_OCTET_STRING : V_ASN1_IA5STRING);
  if (name != NULL && value != NULL && ASN1_STRING_set(value, bytes, count)) {
    GENERAL_NAME_set0_value(name, type, value);
    if (sk_GENERAL_NAME_push(names, name) > 0) return 1;
    value = NULL;
  }
  ASN1_STRING_free(value);
  GENERAL_NAME_free(name);
  return 0;
}

int copenssl_request_extensions(X509_REQ *request, GENERAL_NAMES *names, int is_client) {
  STACK_OF(X509_EXTENSION) *extensions = sk_X509_EXTENSION_new_null();
  int ok = extensions != NULL;
  if (ok && sk_GENERAL_NAME_num(names) > 0)
    ok = X509V3_add1_i2d(&extensions, NID_subject_alt_name, names, 0, X509V3_ADD_DEFAULT) == 1;
  if (ok && is_client) {
    X509_EXTENSION *usage = X509V3_EXT_conf_nid(NULL, NULL, NID_ext_key_usage, "clientAuth");
    ok = usage != NULL && sk_X509_EXTENSION_push(extensions, usage) > 0;
    if (!ok) X509_EXTENSION_free(usage);
  }
  if (ok && sk_X509_EXTENSION_num(extensions) > 0)
    ok = X509_REQ_add_extensions(request, extensions) == 1;
  sk_X509_EXTENSION_pop_free(extensions, X509_EXTENSION_free);
  return ok;
}
