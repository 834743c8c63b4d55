// GnuTLS, and what it does not have on Debian 12: key agreement, by nettle, on which GnuTLS is built.

#ifndef CGNUTLS_H
#define CGNUTLS_H

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/pkcs7.h>
#include <gnutls/x509.h>
#include <stdint.h>

// The argument of gnutls_x509_privkey_generate() for a key on P-256.
enum { CGNUTLS_P256_BITS = GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1) };

// Frees what GnuTLS has allocated.
void cgnutls_free(void *bytes);

// Points of P-256 are x and y, 32 bytes each, big-endian; so are secrets. These return 1, or 0 if the point is
// not on the curve or the secret is out of range.
int cgnutls_p256_is_point(const uint8_t point[64]);
int cgnutls_p256_public(const uint8_t secret[32], uint8_t point[64]);
int cgnutls_p256_shared(const uint8_t secret[32], const uint8_t point[64], uint8_t x[32]);

// X25519 (RFC 7748). The latter returns 0 if all bytes of the result are 0: a point of small order.
void cgnutls_x25519_public(const uint8_t secret[32], uint8_t point[32]);
int cgnutls_x25519_shared(const uint8_t secret[32], const uint8_t point[32], uint8_t shared[32]);

#endif
