#include "crypto.h"

void copenssl_free(void *pointer) { crypto.CRYPTO_free(pointer, __FILE__, __LINE__); }

void copenssl_clear_free(void *pointer, size_t count) {
  crypto.CRYPTO_clear_free(pointer, count, __FILE__, __LINE__);
}

const void *copenssl_bio_bytes(BIO *bio, size_t *count) {
  char *bytes = NULL;
  long length = crypto.BIO_ctrl(bio, BIO_CTRL_INFO, 0, &bytes);
  *count = length > 0 ? (size_t)length : 0;
  return bytes;
}

GENERAL_NAMES *copenssl_subject_alternative_names(const X509 *certificate) {
  return crypto.X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
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

// Takes over the builder, which may be NULL.
static EVP_PKEY *public_key(const char *type, OSSL_PARAM_BLD *builder, int filled) {
  EVP_PKEY *key = NULL;
  OSSL_PARAM *parameters = filled ? crypto.OSSL_PARAM_BLD_to_param(builder) : NULL;
  EVP_PKEY_CTX *context = crypto.EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
  if (parameters != NULL && context != NULL && crypto.EVP_PKEY_fromdata_init(context) == 1) {
    crypto.EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
  }
  crypto.EVP_PKEY_CTX_free(context);
  crypto.OSSL_PARAM_free(parameters);
  crypto.OSSL_PARAM_BLD_free(builder);
  return key;
}

EVP_PKEY *copenssl_rsa_key(const BIGNUM *modulus, const BIGNUM *exponent) {
  OSSL_PARAM_BLD *builder = crypto.OSSL_PARAM_BLD_new();
  int filled = builder != NULL
      && crypto.OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus)
      && crypto.OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent);
  return public_key("RSA", builder, filled);
}

EVP_PKEY *copenssl_ec_key(const char *group, const uint8_t *point, size_t count) {
  OSSL_PARAM_BLD *builder = crypto.OSSL_PARAM_BLD_new();
  int filled = builder != NULL
      && crypto.OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, group, 0)
      && crypto.OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, count);
  return public_key("EC", builder, filled);
}
