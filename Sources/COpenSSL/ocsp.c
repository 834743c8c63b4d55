// What an OCSP response (RFC 6960) says of a certificate.

#include "crypto.h"

// The status of a certificate in a response, by the hash that the response names it with.
static int find(OCSP_BASICRESP *basic, const X509 *leaf, const X509 *issuer, int *status,
                int *reason, ASN1_GENERALIZEDTIME *times[3]) {
  const EVP_MD *hashes[] = {copenssl.EVP_sha1(), copenssl.EVP_sha256()};
  for (size_t index = 0; index < sizeof hashes / sizeof *hashes; index++) {
    OCSP_CERTID *name = copenssl.OCSP_cert_to_id(hashes[index], leaf, issuer);
    if (!name) continue;
    int found = copenssl.OCSP_resp_find_status(basic, name, status, reason, &times[0], &times[1],
                                               &times[2]);
    copenssl.OCSP_CERTID_free(name);
    if (found == 1) return 1;
  }
  return 0;
}

// Seconds since 1970; 0 without a time.
static int64_t seconds(const ASN1_GENERALIZEDTIME *time) {
  int days = 0, rest = 0;
  if (!time) return 0;
  ASN1_TIME *epoch = copenssl.ASN1_TIME_set(NULL, 0);
  int ok = epoch && copenssl.ASN1_TIME_diff(&days, &rest, epoch, time) == 1;
  copenssl.ASN1_STRING_free(epoch);
  return ok ? (int64_t)days * 86400 + rest : 0;
}

static copenssl_ocsp_state evaluate(OCSP_BASICRESP *basic, STACK_OF(X509) *path, X509_STORE *store,
                                    copenssl_ocsp_times *result) {
  for (int index = 1; index < copenssl_certificate_count(path); index++)
    if (copenssl.X509_STORE_add_cert(store, copenssl_certificate(path, index)) != 1)
      return COPENSSL_OCSP_UNVERIFIED;
  // The authorities of the path were validated in the handshake, so each of them is trusted.
  copenssl.X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
  if (copenssl.OCSP_basic_verify(basic, path, store, 0) != 1) return COPENSSL_OCSP_UNVERIFIED;
  int status = 0, reason = -1;
  ASN1_GENERALIZEDTIME *times[3] = {NULL, NULL, NULL};
  if (!find(basic, copenssl_certificate(path, 0), copenssl_certificate(path, 1), &status, &reason,
            times))
    return COPENSSL_OCSP_OTHER_CERTIFICATE;
  result->reason = reason;
  result->revoked = seconds(times[0]);
  result->updated = seconds(times[1]);
  result->next = seconds(times[2]);
  // Clocks may differ by five minutes.
  if (copenssl.OCSP_check_validity(times[1], times[2], 300, -1) != 1) return COPENSSL_OCSP_OUTDATED;
  switch (status) {
    case V_OCSP_CERTSTATUS_GOOD: return COPENSSL_OCSP_GOOD;
    case V_OCSP_CERTSTATUS_REVOKED: return COPENSSL_OCSP_REVOKED;
    default: return COPENSSL_OCSP_UNKNOWN;
  }
}

copenssl_ocsp_state copenssl_ocsp_status(const uint8_t *bytes, size_t count, STACK_OF(X509) *path,
                                         copenssl_ocsp_times *result) {
  const unsigned char *cursor = bytes;
  OCSP_RESPONSE *response = copenssl.d2i_OCSP_RESPONSE(NULL, &cursor, (long)count);
  if (!response) return COPENSSL_OCSP_MALFORMED;
  copenssl_ocsp_state state = COPENSSL_OCSP_REFUSED;
  if (copenssl.OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL) {
    OCSP_BASICRESP *basic = copenssl.OCSP_response_get1_basic(response);
    X509_STORE *store = copenssl.X509_STORE_new();
    state = !basic || !store                            ? COPENSSL_OCSP_MALFORMED
            : copenssl_certificate_count(path) < 2      ? COPENSSL_OCSP_UNVERIFIED
                                                        : evaluate(basic, path, store, result);
    copenssl.X509_STORE_free(store);
    copenssl.OCSP_BASICRESP_free(basic);
  }
  copenssl.OCSP_RESPONSE_free(response);
  copenssl.ERR_clear_error();
  return state;
}
