#include "cgnutls.h"

#include <nettle/bignum.h>
#include <nettle/curve25519.h>
#include <nettle/ecc-curve.h>
#include <nettle/ecc.h>
#include <string.h>

enum { SIZE = 32 };

void cgnutls_free(void *bytes) { gnutls_free(bytes); }

static int read_point(struct ecc_point *into, const uint8_t point[64]) {
  mpz_t x, y;
  nettle_mpz_init_set_str_256_u(x, SIZE, point);
  nettle_mpz_init_set_str_256_u(y, SIZE, point + SIZE);
  int is_on_curve = ecc_point_set(into, x, y);
  mpz_clear(x);
  mpz_clear(y);
  return is_on_curve;
}

static int read_secret(struct ecc_scalar *into, const uint8_t secret[32]) {
  mpz_t number;
  nettle_mpz_init_set_str_256_u(number, SIZE, secret);
  int is_in_range = ecc_scalar_set(into, number);
  mpz_clear(number);
  return is_in_range;
}

static void write_point(const struct ecc_point *from, uint8_t *out_x, uint8_t *out_y) {
  mpz_t x, y;
  mpz_init(x);
  mpz_init(y);
  ecc_point_get(from, x, y);
  nettle_mpz_get_str_256(SIZE, out_x, x);
  if (out_y) nettle_mpz_get_str_256(SIZE, out_y, y);
  mpz_clear(x);
  mpz_clear(y);
}

int cgnutls_p256_is_point(const uint8_t point[64]) {
  struct ecc_point value;
  ecc_point_init(&value, nettle_get_secp_256r1());
  int is_on_curve = read_point(&value, point);
  ecc_point_clear(&value);
  return is_on_curve;
}

// Multiplies a point, or the base point without one, by a secret.
static int multiply(const uint8_t *secret, const uint8_t *point, uint8_t *x, uint8_t *y) {
  const struct ecc_curve *curve = nettle_get_secp_256r1();
  struct ecc_point value, product;
  struct ecc_scalar scalar;
  ecc_point_init(&value, curve);
  ecc_point_init(&product, curve);
  ecc_scalar_init(&scalar, curve);
  int is_valid = read_secret(&scalar, secret) && (!point || read_point(&value, point));
  if (is_valid) {
    if (point) ecc_point_mul(&product, &scalar, &value);
    else ecc_point_mul_g(&product, &scalar);
    write_point(&product, x, y);
  }
  ecc_scalar_clear(&scalar);
  ecc_point_clear(&value);
  ecc_point_clear(&product);
  return is_valid;
}

int cgnutls_p256_public(const uint8_t secret[32], uint8_t point[64]) {
  return multiply(secret, NULL, point, point + SIZE);
}

int cgnutls_p256_shared(const uint8_t secret[32], const uint8_t point[64], uint8_t x[32]) {
  return multiply(secret, point, x, NULL);
}

void cgnutls_x25519_public(const uint8_t secret[32], uint8_t point[32]) {
  curve25519_mul_g(point, secret);
}

int cgnutls_x25519_shared(const uint8_t secret[32], const uint8_t point[32], uint8_t shared[32]) {
  static const uint8_t zero[32];
  curve25519_mul(shared, secret, point);
  return memcmp(shared, zero, sizeof zero) != 0;
}
