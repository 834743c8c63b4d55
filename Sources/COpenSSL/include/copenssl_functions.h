// The functions of libcrypto that are used, as pointers. They are listed once, here.

#ifndef COPENSSL_FUNCTIONS_H
#define COPENSSL_FUNCTIONS_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ocsp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/pkcs7.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/store.h>
#include <openssl/ui.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#define COPENSSL_FUNCTIONS(X) \
  X(ASN1_INTEGER_get_int64) X(ASN1_INTEGER_to_BN) X(ASN1_STRING_free) X(ASN1_STRING_get0_data) \
  X(ASN1_STRING_length) X(ASN1_STRING_set) X(ASN1_STRING_type_new) \
  X(ASN1_TIME_diff) X(ASN1_TIME_set) X(BIO_ctrl) X(BIO_free_all) X(BIO_new) X(BIO_s_mem) \
  X(BIO_write_ex) X(BN_bin2bn) X(BN_bn2binpad) X(BN_bn2hex) X(BN_free) X(BN_is_negative) \
  X(BN_is_odd) X(BN_is_one) X(BN_num_bits) X(BN_to_ASN1_INTEGER) \
  X(CRYPTO_clear_free) X(CRYPTO_free) X(CRYPTO_memcmp) X(ECDSA_SIG_free) X(ECDSA_SIG_get0_r) \
  X(ECDSA_SIG_get0_s) X(ERR_clear_error) X(ERR_get_error) X(ERR_peek_error) \
  X(ERR_peek_last_error) X(ERR_reason_error_string) X(EVP_CIPHER_CTX_ctrl) \
  X(EVP_CIPHER_CTX_free) X(EVP_CIPHER_CTX_new) X(EVP_CIPHER_CTX_set_flags) X(EVP_CIPHER_fetch) \
  X(EVP_CIPHER_free) X(EVP_CIPHER_get_iv_length) \
  X(EVP_CipherFinal_ex) X(EVP_CipherInit_ex2) X(EVP_CipherUpdate) X(EVP_Digest) \
  X(EVP_DigestSign) X(EVP_DigestSignInit) X(EVP_DigestVerify) X(EVP_DigestVerifyInit) \
  X(EVP_MD_CTX_free) X(EVP_MD_CTX_new) X(EVP_MD_fetch) X(EVP_PBE_scrypt) X(EVP_PKCS82PKEY) \
  X(EVP_PKEY2PKCS8) X(EVP_PKEY_CTX_free) X(EVP_PKEY_CTX_new_from_name) \
  X(EVP_PKEY_CTX_new_from_pkey) X(EVP_PKEY_CTX_set_group_name) \
  X(EVP_PKEY_CTX_set_rsa_keygen_bits) X(EVP_PKEY_CTX_set_rsa_mgf1_md) \
  X(EVP_PKEY_CTX_set_rsa_oaep_md) X(EVP_PKEY_CTX_set_rsa_padding) \
  X(EVP_PKEY_CTX_set_rsa_pss_saltlen) X(EVP_PKEY_decrypt) X(EVP_PKEY_decrypt_init) \
  X(EVP_PKEY_derive) X(EVP_PKEY_derive_init) X(EVP_PKEY_derive_set_peer) X(EVP_PKEY_encrypt) \
  X(EVP_PKEY_encrypt_init) X(EVP_PKEY_free) X(EVP_PKEY_fromdata) X(EVP_PKEY_fromdata_init) \
  X(EVP_PKEY_generate) X(EVP_PKEY_get0_type_name) X(EVP_PKEY_get_bits) X(EVP_PKEY_get_bn_param) \
  X(EVP_PKEY_get_group_name) X(EVP_PKEY_get_raw_private_key) X(EVP_PKEY_get_raw_public_key) \
  X(EVP_PKEY_get_size) X(EVP_PKEY_keygen_init) X(EVP_PKEY_new_raw_private_key) \
  X(EVP_PKEY_new_raw_public_key) \
  X(EVP_PKEY_pairwise_check) X(EVP_aes_256_cbc) X(EVP_sha1) X(EVP_sha256) X(GENERAL_NAMES_free) \
  X(GENERAL_NAMES_new) X(GENERAL_NAME_free) X(GENERAL_NAME_new) X(GENERAL_NAME_set0_value) \
  X(HMAC) X(OBJ_obj2nid) X(OCSP_BASICRESP_free) X(OCSP_CERTID_free) \
  X(OCSP_RESPONSE_free) X(OCSP_basic_verify) X(OCSP_cert_to_id) X(OCSP_check_validity) \
  X(OCSP_resp_find_status) X(OCSP_response_get1_basic) X(OCSP_response_status) \
  X(OPENSSL_init_crypto) X(OPENSSL_sk_new_null) X(OPENSSL_sk_num) \
  X(OPENSSL_sk_pop_free) X(OPENSSL_sk_push) X(OPENSSL_sk_value) X(OPENSSL_uni2utf8) X(OSSL_LIB_CTX_free) \
  X(OpenSSL_version) X(OSSL_LIB_CTX_new) X(OSSL_PARAM_BLD_free) X(OSSL_PARAM_BLD_new) X(OSSL_PARAM_BLD_push_BN) \
  X(OSSL_PARAM_BLD_push_octet_string) X(OSSL_PARAM_BLD_push_utf8_string) \
  X(OSSL_PARAM_BLD_to_param) X(OSSL_PARAM_free) X(OSSL_PROVIDER_load) X(OSSL_STORE_INFO_free) \
  X(OSSL_STORE_INFO_get1_PKEY) X(OSSL_STORE_INFO_get_type) X(OSSL_STORE_LOADER_fetch) \
  X(OSSL_STORE_LOADER_free) X(OSSL_STORE_close) X(OSSL_STORE_eof) X(OSSL_STORE_expect) \
  X(OSSL_STORE_load) X(OSSL_STORE_open_ex) X(PBE2PARAM_free) X(PBEPARAM_free) \
  X(PBKDF2PARAM_free) X(PEM_read_bio) X(PEM_read_bio_PrivateKey) X(PKCS12_SAFEBAG_free) \
  X(PKCS12_SAFEBAG_get0_attr) X(PKCS12_SAFEBAG_get0_p8inf) X(PKCS12_SAFEBAG_get0_pkcs8) X(PKCS12_SAFEBAG_get0_safes) \
  X(PKCS12_SAFEBAG_get1_cert) X(PKCS12_SAFEBAG_get_bag_nid) X(PKCS12_SAFEBAG_get_nid) \
  X(PKCS12_create) X(PKCS12_free) X(PKCS12_get0_mac) X(PKCS12_init_ex) X(PKCS12_mac_present) \
  X(PKCS12_set_mac) X(PKCS12_unpack_authsafes) X(PKCS12_unpack_p7data) \
  X(PKCS12_unpack_p7encdata) X(PKCS12_verify_mac) X(PKCS5_pbe2_set_iv) X(PKCS7_free) \
  X(PKCS8_PRIV_KEY_INFO_free) X(PKCS8_decrypt_ex) X(PKCS8_set0_pbe) X(RAND_priv_bytes_ex) \
  X(SCRYPT_PARAMS_free) X(UI_UTIL_wrap_read_pem_callback) X(UI_destroy_method) \
  X(X509V3_EXT_conf_nid) X(X509V3_add1_i2d) X(X509_ALGOR_free) X(X509_EXTENSION_dup) \
  X(X509_EXTENSION_free) X(X509_EXTENSION_get_data) \
  X(X509_NAME_add_entry_by_NID) X(X509_NAME_add_entry_by_txt) X(X509_NAME_cmp) \
  X(X509_NAME_entry_count) X(X509_NAME_free) X(X509_NAME_new) X(X509_NAME_print_ex) \
  X(X509_REQ_add1_attr_by_NID) X(X509_REQ_add_extensions) X(X509_REQ_free) \
  X(X509_REQ_get_X509_PUBKEY) X(X509_REQ_get_subject_name) X(X509_REQ_new) \
  X(X509_REQ_set_pubkey) X(X509_REQ_set_subject_name) X(X509_REQ_set_version) X(X509_REQ_sign) \
  X(X509_SIG_free) X(X509_SIG_get0) X(X509_STORE_add_cert) X(X509_STORE_free) X(X509_STORE_new) \
  X(X509_STORE_set_flags) X(X509_add_ext) X(X509_chain_up_ref) X(X509_check_ca) \
  X(X509_check_host) X(X509_check_ip_asc) X(X509_check_purpose) X(X509_cmp) X(X509_free) X(X509_get0_notAfter) X(X509_get0_notBefore) \
  X(X509_get0_pubkey) X(X509_get0_serialNumber) X(X509_get_X509_PUBKEY) X(X509_get_ext) \
  X(X509_get_ext_by_NID) X(X509_get_ext_d2i) X(X509_get_issuer_name) X(X509_get_pubkey) \
  X(X509_get_serialNumber) X(X509_get_subject_name) X(X509_getm_notAfter) X(X509_getm_notBefore) \
  X(X509_new) X(X509_self_signed) X(X509_set_issuer_name) X(X509_set_pubkey) X(X509_set_version) \
  X(X509_sign) X(X509_up_ref) X(X509_verify) X(d2i_AutoPrivateKey) X(d2i_ECDSA_SIG) \
  X(d2i_OCSP_RESPONSE) \
  X(d2i_PBE2PARAM) X(d2i_PBEPARAM) X(d2i_PBKDF2PARAM) X(d2i_PKCS12_bio) X(d2i_PKCS7) \
  X(d2i_PUBKEY) X(d2i_SCRYPT_PARAMS) X(d2i_X509) X(d2i_X509_NAME) X(d2i_X509_REQ) \
  X(d2i_X509_SIG) X(i2d_PKCS12) X(i2d_PKCS8_PRIV_KEY_INFO) X(i2d_PUBKEY) \
  X(i2d_X509) X(i2d_X509_PUBKEY) X(i2d_X509_REQ) X(i2d_X509_SIG)

#define COPENSSL_FIELD(name) __typeof__(&name) _Nonnull name;
/// The functions of libcrypto, under their names.
struct copenssl_functions {
  COPENSSL_FUNCTIONS(COPENSSL_FIELD)
};
/// Empty before copenssl_load() has returned NULL.
extern struct copenssl_functions copenssl __attribute__((visibility("hidden")));
/// The same for Swift, which reads no variables of C.
static inline const struct copenssl_functions *_Nonnull copenssl_functions(void) {
  return &copenssl;
}

#endif
