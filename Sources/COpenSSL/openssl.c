#include "copenssl.h"

void copenssl_free(void *pointer) { OPENSSL_free(pointer); }

void copenssl_clear_free(void *pointer, size_t count) { OPENSSL_clear_free(pointer, count); }

const void *copenssl_bio_bytes(BIO *bio, size_t *count) {
  char *bytes = NULL;
  long length = BIO_get_mem_data(bio, &bytes);
  *count = length > 0 ? (size_t)length : 0;
  return bytes;
}

void copenssl_digest(const EVP_MD *digest, const void *bytes, size_t count, uint8_t *output) {
  OPENSSL_assert(EVP_Digest(bytes, count, output, NULL, digest, NULL) == 1);
}

void copenssl_hmac(const EVP_MD *digest, const void *key, size_t key_count, const void *bytes,
                   size_t count, uint8_t *output) {
  static const uint8_t empty = 0;
  OPENSSL_assert(key_count <= INT_MAX);
  OPENSSL_assert(HMAC(digest, key_count > 0 ? key : &empty, (int)key_count,
                      count > 0 ? bytes : &empty, count, output, NULL) != NULL);
}

int copenssl_chain_count(const STACK_OF(X509) *chain) {
  return chain == NULL ? 0 : sk_X509_num(chain);
}

X509 *copenssl_chain_certificate(const STACK_OF(X509) *chain, int index) {
  return sk_X509_value(chain, index);
}

GENERAL_NAMES *copenssl_subject_alternative_names(const X509 *certificate) {
  return X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}

int copenssl_general_name_count(const GENERAL_NAMES *names) {
  return names == NULL ? 0 : sk_GENERAL_NAME_num(names);
}

const ASN1_STRING *copenssl_general_name(const GENERAL_NAMES *names, int index, int *type) {
  const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
  *type = name->type;
  switch (name->type) {
    case GEN_DNS: return name->d.dNSName;
    case GEN_IPADD: return name->d.iPAddress;
    case GEN_EMAIL: return name->d.rfc822Name;
    case GEN_URI: return name->d.uniformResourceIdentifier;
    default: return NULL;
  }
}

unsigned long copenssl_name_flags(void) {
  return (XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB) | ASN1_STRFLGS_ESC_CTRL;
}
