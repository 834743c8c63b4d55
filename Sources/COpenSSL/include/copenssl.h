// libcrypto (OpenSSL 3.0 API) for Swift: the headers, and what they hide in macros.
//
// libcrypto is opened by copenssl_load(), which comes before every other function here. No symbol
// has a name of libcrypto: a program may have another one.

#ifndef COPENSSL_H
#define COPENSSL_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "copenssl_functions.h"

/// Opens libcrypto and looks up all functions; returns NULL, or why it cannot be used. Safe from
/// any thread.
const char *copenssl_load(void);

/// A variable of the environment; NULL if it is not set.
static inline const char *copenssl_variable(const char *name) { return getenv(name); }

/// Frees what libcrypto allocated.
void copenssl_free(void *pointer);
/// Frees what libcrypto allocated, and overwrites it first.
void copenssl_clear_free(void *pointer, size_t count);

/// The bytes that a memory BIO holds; valid until the BIO changes.
const void *copenssl_bio_bytes(BIO *bio, size_t *count);

/// The subject alternative names of a certificate, to be freed with GENERAL_NAMES_free; or NULL.
GENERAL_NAMES *copenssl_subject_alternative_names(const X509 *certificate);
/// How many names there are; none for NULL.
int copenssl_general_name_count(const GENERAL_NAMES *names);
/// The string of a name and its type (GEN_DNS, GEN_IPADD, …); NULL for a type without one.
const ASN1_STRING *copenssl_general_name(const GENERAL_NAMES *names, int index, int *type);

/// The RSA public key of two numbers; NULL and a filled error queue when it cannot be made.
///
/// In C, for a parameter builder keeps the pointers to the names it is given.
EVP_PKEY *copenssl_rsa_key(const BIGNUM *modulus, const BIGNUM *exponent);
/// The EC public key of a point on the named group, in uncompressed form; NULL as above.
EVP_PKEY *copenssl_ec_key(const char *group, const uint8_t *point, size_t count);

/// How a distinguished name is printed: RFC 2253, UTF-8, control characters escaped.
unsigned long copenssl_name_flags(void);

/// How many certificates a stack has; none for NULL.
int copenssl_certificate_count(const STACK_OF(X509) *stack);
/// A certificate of a stack, which keeps it.
X509 *copenssl_certificate(const STACK_OF(X509) *stack, int index);
/// An empty stack; free it with copenssl_free_certificates.
STACK_OF(X509) *copenssl_certificate_list(void);
/// Appends a certificate, which stays with its owner too; returns 0 if there is no memory.
int copenssl_append_certificate(STACK_OF(X509) *stack, X509 *certificate);
/// Frees a stack and its certificates; NULL is allowed.
void copenssl_free_certificates(STACK_OF(X509) *stack);

/// The result of reading a PKCS #12 file, or an encrypted private key.
typedef enum {
  COPENSSL_PKCS12_READ,
  /// It is not such a file.
  COPENSSL_PKCS12_MALFORMED,
  /// It is damaged, or uses an algorithm that is not available: the error queue tells.
  COPENSSL_PKCS12_INVALID,
  /// The password is wrong.
  COPENSSL_PKCS12_PASSWORD,
  /// libcrypto has no provider of the old algorithms.
  COPENSSL_PKCS12_NO_LEGACY,
  /// The password needs more than 10,000,000 iterations; none was done.
  COPENSSL_PKCS12_COSTLY,
} copenssl_pkcs12_result;

/// Receives a private key, and must free it. `name` is its friendly name in UTF-8; NULL without one.
typedef void copenssl_key_receiver(void *receiver, EVP_PKEY *key, const char *name);

/// Reads a PKCS #12 file: its private keys, in their order, and all certificates, which the caller
/// frees. Without password, NULL, both none and "" are tried.
copenssl_pkcs12_result copenssl_pkcs12_read(const uint8_t *bytes, size_t count,
                                            const char *password, int legacy,
                                            copenssl_key_receiver *receive, void *receiver,
                                            STACK_OF(X509) **certificates);
/// What may be derived to read a file, in iterations. Nobody uses so many, and 2^31 fit into 130 bytes.
enum { COPENSSL_MAXIMUM_ROUNDS = 10000000 };
/// The iterations that the passphrase of a private key needs; INT64_MAX if that cannot be read, and 0 for what is no
/// EncryptedPrivateKeyInfo.
int64_t copenssl_key_rounds(const uint8_t *bytes, size_t count);
/// Decrypts a private key (EncryptedPrivateKeyInfo, RFC 5958), which the caller frees.
copenssl_pkcs12_result copenssl_decrypt_key(const uint8_t *bytes, size_t count,
                                            const char *password, int legacy, EVP_PKEY **key);
/// Makes a PKCS #12 file: AES-256-CBC and SHA-256, or 3DES and SHA-1. NULL and a filled error queue
/// if it cannot be made.
PKCS12 *copenssl_pkcs12_make(const char *password, const char *name, EVP_PKEY *key,
                             X509 *certificate, STACK_OF(X509) *others, int legacy);

/// The certificates of a signed PKCS #7 message in DER; free them with
/// copenssl_free_certificates. NULL for anything else, and for a message without certificates.
STACK_OF(X509) *copenssl_pkcs7_certificates(const uint8_t *bytes, size_t count);

/// Appends a name of a type (GEN_DNS, GEN_IPADD, ...); returns 0 if there is no memory.
int copenssl_append_name(GENERAL_NAMES *names, int type, const uint8_t *bytes, int count);
/// The first extension of a kind (an NID) of a certificate, which keeps it; NULL if it has none.
X509_EXTENSION *copenssl_extension(const X509 *certificate, int nid);
/// Adds the names, or the alternative names of a certificate as they are, and that the certificate
/// is for clients, to a request; returns 0 on failure.
int copenssl_request_extensions(X509_REQ *request, GENERAL_NAMES *names,
                                const X509 *certificate, int is_client);

/// What an OCSP response says of the first certificate of a path.
typedef enum {
  COPENSSL_OCSP_GOOD,
  COPENSSL_OCSP_REVOKED,
  /// The authority does not know the certificate.
  COPENSSL_OCSP_UNKNOWN,
  /// It cannot be read.
  COPENSSL_OCSP_MALFORMED,
  /// The authority returned an error instead.
  COPENSSL_OCSP_REFUSED,
  /// The issuer of the certificate did not sign it, nor a responder that the issuer has authorised.
  COPENSSL_OCSP_UNVERIFIED,
  /// It is about another certificate.
  COPENSSL_OCSP_OTHER_CERTIFICATE,
  /// Its time is over, or has not come yet.
  COPENSSL_OCSP_OUTDATED,
} copenssl_ocsp_state;

/// When an OCSP response was made, when the next one comes, and when and why the certificate was revoked:
/// seconds since 1970, 0 if there is no time; the reason is that of RFC 5280 section 5.3.1, or -1.
typedef struct {
  int64_t updated, next, revoked;
  int reason;
} copenssl_ocsp_times;

/// Verifies an OCSP response in DER by a validated path: the certificate, its issuer and those above.
copenssl_ocsp_state copenssl_ocsp_status(const uint8_t *bytes, size_t count, STACK_OF(X509) *path,
                                         copenssl_ocsp_times *result);

#endif
