// PKCS #7 and certificate requests: what is easier with C's stacks.

#include "crypto.h"

#include <limits.h>

int copenssl_certificate_count(const STACK_OF(X509) *stack) {
  return stack == NULL ? 0 : sk_X509_num(stack);
}

X509 *copenssl_certificate(const STACK_OF(X509) *stack, int index) {
  return sk_X509_value(stack, index);
}

void copenssl_free_certificates(STACK_OF(X509) *stack) {
  sk_X509_pop_free(stack, crypto.X509_free);
}

STACK_OF(X509) *copenssl_certificate_list(void) { return sk_X509_new_null(); }

int copenssl_append_certificate(STACK_OF(X509) *stack, X509 *certificate) {
  if (!crypto.X509_up_ref(certificate)) return 0;
  if (sk_X509_push(stack, certificate) > 0) return 1;
  crypto.X509_free(certificate);
  return 0;
}

STACK_OF(X509) *copenssl_pkcs7_certificates(const uint8_t *bytes, size_t count) {
  const unsigned char *cursor = bytes;
  STACK_OF(X509) *certificates = NULL;
  PKCS7 *message = count > LONG_MAX ? NULL : crypto.d2i_PKCS7(NULL, &cursor, (long)count);
  if (message == NULL) return NULL;
  if (cursor == bytes + count && crypto.OBJ_obj2nid(message->type) == NID_pkcs7_signed
      && message->d.sign != NULL && message->d.sign->cert != NULL)
    certificates = crypto.X509_chain_up_ref(message->d.sign->cert);
  crypto.PKCS7_free(message);
  return certificates;
}

int copenssl_append_name(GENERAL_NAMES *names, int type, const uint8_t *bytes, int count) {
  GENERAL_NAME *name = crypto.GENERAL_NAME_new();
  ASN1_STRING *value =
      crypto.ASN1_STRING_type_new(type == GEN_IPADD ? V_ASN1_OCTET_STRING : V_ASN1_IA5STRING);
  if (name != NULL && value != NULL && crypto.ASN1_STRING_set(value, bytes, count)) {
    crypto.GENERAL_NAME_set0_value(name, type, value);
    if (sk_GENERAL_NAME_push(names, name) > 0) return 1;
    value = NULL;
  }
  crypto.ASN1_STRING_free(value);
  crypto.GENERAL_NAME_free(name);
  return 0;
}

X509_EXTENSION *copenssl_extension(const X509 *certificate, int nid) {
  int index = crypto.X509_get_ext_by_NID(certificate, nid, -1);
  return index < 0 ? NULL : crypto.X509_get_ext(certificate, index);
}

int copenssl_request_extensions(X509_REQ *request, GENERAL_NAMES *names,
                                const X509 *certificate, int is_client) {
  STACK_OF(X509_EXTENSION) *extensions = sk_X509_EXTENSION_new_null();
  X509_EXTENSION *former = certificate == NULL ? NULL : copenssl_extension(certificate, NID_subject_alt_name);
  int ok = extensions != NULL;
  if (ok && former != NULL) {
    X509_EXTENSION *copy = crypto.X509_EXTENSION_dup(former);
    ok = copy != NULL && sk_X509_EXTENSION_push(extensions, copy) > 0;
    if (!ok) crypto.X509_EXTENSION_free(copy);
  }
  if (ok && sk_GENERAL_NAME_num(names) > 0)
    ok = crypto.X509V3_add1_i2d(&extensions, NID_subject_alt_name, names, 0, X509V3_ADD_DEFAULT)
         == 1;
  if (ok && is_client) {
    X509_EXTENSION *usage = crypto.X509V3_EXT_conf_nid(NULL, NULL, NID_ext_key_usage, "clientAuth");
    ok = usage != NULL && sk_X509_EXTENSION_push(extensions, usage) > 0;
    if (!ok) crypto.X509_EXTENSION_free(usage);
  }
  if (ok && sk_X509_EXTENSION_num(extensions) > 0)
    ok = crypto.X509_REQ_add_extensions(request, extensions) == 1;
  sk_X509_EXTENSION_pop_free(extensions, crypto.X509_EXTENSION_free);
  return ok;
}
