// libcurl without linking to it: the library is opened on first use.
//
// ccurl_load() comes before every other function here. What takes a CURL, a
// CURLM or a list behaves as the libcurl function of that name; libcurl's
// variadic functions have one form per type of value.

#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

// Opens libcurl; returns NULL, or why it cannot be used. Safe from any thread.
const char *ccurl_load(void);

// The function d2i_X509 of the libcrypto that libcurl uses.
const void *ccurl_reader(void);

// The version of libcurl, as 0x080500 for 8.5.0.
unsigned ccurl_version_number(void);
// "libcurl/8.5.0", "OpenSSL/3.0.13" and "nghttp2/1.59.0"; NULL for what is not there.
const char *ccurl_curl_version(void);
const char *ccurl_tls_version(void);
const char *ccurl_http2_version(void);

// The file and the directory of authorities that libcurl consults by default; NULL for none.
const char *ccurl_ca_file(void);
const char *ccurl_ca_directory(void);

// A part of the URL of a proxy, as libcurl reads it, for ccurl_free(); NULL if there is none.
char *ccurl_proxy_part(const char *url, CURLUPart part);
void ccurl_free(void *memory);

// Easy handles.
typedef size_t (*ccurl_data_function)(char *bytes, size_t size, size_t count, void *box);
typedef int (*ccurl_seek_function)(void *box, curl_off_t offset, int origin);
typedef CURLcode (*ccurl_tls_function)(CURL *easy, void *tls_context, void *box);
// Called when there is a connection for the request, before anything of it is sent: 0 to go on.
typedef int (*ccurl_request_function)(void *box, char *remote_address, char *local_address,
                                      int remote_port, int local_port);

// Called with each socket of the transfer before it connects: 0 to go on.
typedef int (*ccurl_socket_function)(void *box, curl_socket_t socket, curlsocktype purpose);

// Returns the socket for a connection, which libcurl closes.

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
CURLcode ccurl_easy_pause(CURL *easy, int mask);
const char *ccurl_easy_strerror(CURLcode code);
CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, int64_t value);
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value);
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
// libcurl copies the bytes.
CURLcode ccurl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count);
CURLcode ccurl_set_data_function(CURL *easy, CURLoption option, ccurl_data_function value);
CURLcode ccurl_set_seek_function(CURL *easy, ccurl_seek_function value);
CURLcode ccurl_set_tls_function(CURL *easy, ccurl_tls_function value);
CURLcode ccurl_set_request_function(CURL *easy, ccurl_request_function value);
CURLcode ccurl_set_socket_function(CURL *easy, ccurl_socket_function value);
long ccurl_get_long(CURL *easy, CURLINFO info);
int64_t ccurl_get_offset(CURL *easy, CURLINFO info);
const char *ccurl_get_string(CURL *easy, CURLINFO info);
// What CURLOPT_CERTINFO collected of a certificate that the server sent; NULL after the last one.
const struct curl_slist *ccurl_certificate(CURL *easy, int index);

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);

// Content codings, decoded piece by piece.
enum ccurl_coding { CCURL_GZIP, CCURL_DEFLATE };
struct ccurl_decoder;
struct ccurl_decoder *ccurl_decoder_new(enum ccurl_coding coding);
void ccurl_decoder_free(struct ccurl_decoder *decoder);
enum ccurl_decoded {
  CCURL_DECODE_FAILED,
  CCURL_DECODE_MORE,   // more input, or more space, is needed
  CCURL_DECODE_ENDED,  // a whole stream or member is there
};
// Decodes from the input, which is at least one byte or the space was too small before; moves the
// input behind what was read, and sets the size to the number of bytes that were written.
enum ccurl_decoded ccurl_decoder_step(struct ccurl_decoder *decoder, const uint8_t **input,
                                      size_t *count, uint8_t *output, size_t *size);

// Multi handles. Only ccurl_multi_wakeup may be called from another thread.
CURLM *ccurl_multi_init(void);
void ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi, int *running);
// Waits also for the descriptors of an array, whose `revents` it sets. `ready` counts those of libcurl
// as well.
CURLMcode ccurl_multi_poll(CURLM *multi, struct curl_waitfd *also, unsigned count,
                           int milliseconds, int *ready);
CURLMcode ccurl_multi_wakeup(CURLM *multi);
// The next transfer that has ended, and how; NULL when there is none.
CURL *ccurl_multi_finished(CURLM *multi, CURLcode *result);

// Handshakes: what a verify callback may read from its check.

// Decides whether the handshake goes on: 1 or 0.
typedef int (*ccurl_verify_function)(void *check, void *box);
// Called if the server asks for a client certificate: 1 to go on, 0 to end the handshake.
typedef int (*ccurl_identity_function)(void *tls, void *box);
// Called if the server sends an alert (RFC 8446 section 6), or is sent one.
typedef void (*ccurl_alert_function)(void *tls, int alert, int is_sent, void *box);
// Called when the TLS context is freed, after the last use of the box.
typedef void (*ccurl_release_function)(void *box);

// Replaces the chain check of a TLS context, and turns off session resumption
// and renegotiation, which would avoid it.
// The context owns the box from here on, also if the function returns 0 for failure.
int ccurl_tls_guard(void *tls_context, void *box, ccurl_verify_function verify,
                    ccurl_identity_function identity, ccurl_alert_function alert,
                    ccurl_release_function release);

// Called with the OCSP response that a server has stapled (RFC 6066 section 8), in DER.
typedef void (*ccurl_staple_function)(void *tls, const unsigned char *bytes, size_t count,
                                      void *box);
// Asks servers for an OCSP response, in a TLS context that ccurl_tls_guard() has replaced the check of;
// whatever comes, the handshake goes on. 1 or 0.
int ccurl_request_staple(void *tls_context, ccurl_staple_function staple);

// Trusts the authorities of a PEM file too; 0 if it cannot be read or has no certificate.
int ccurl_add_authorities(void *tls_context, const char *path);

// What the callbacks may read from their TLS connection.

// Whether there is a client certificate to show.
int ccurl_has_certificate(void *tls);
// The name that the handshake asked for (SNI); NULL for none.
const char *ccurl_server_name(void *tls);
// The names of the authorities whose client certificates the server accepts, in DER.
int ccurl_issuer_count(void *tls);
// With buffer NULL only the length. Negative on failure.
int ccurl_issuer_der(void *tls, int index, unsigned char *buffer);

// What the callback of a requested certificate may add to its TLS connection: a client certificate
// or one of its issuers, in DER, the client's first; and its private key, an EVP_PKEY of libcurl's
// libcrypto. 1 or 0.
int ccurl_show_certificate(void *tls, const unsigned char *der, size_t count, int is_leaf);
int ccurl_show_key(void *tls, void *key);

// libcrypto's own check of the chain: signatures, validity, trust. 1 or 0.
int ccurl_check_chain(void *check);
// Makes the check's result "refused by the application".
void ccurl_check_refuse(void *check);
// The X509_V_ERR_… of the check, the depth of the certificate it is about, and its text.
int ccurl_check_error(void *check);
int ccurl_check_error_depth(void *check);
const char *ccurl_check_error_text(int error);
enum ccurl_fault {
  CCURL_NOT_YET_VALID = 9,
  CCURL_EXPIRED = 10,
  CCURL_SELF_SIGNED_LEAF = 18,
  CCURL_SELF_SIGNED_ROOT = 19,
  CCURL_ISSUER_UNKNOWN = 20,
  CCURL_LEAF_UNVERIFIED = 21,
};
// The name that the handshake asked for (SNI); NULL for none.
const char *ccurl_check_server_name(void *check);
// The protocol ("TLSv1.3") and the cipher suite of the handshake; NULL if they are not known.
const char *ccurl_check_protocol(void *check);
const char *ccurl_check_cipher(void *check);
// The length of the protocol that was agreed on by ALPN, and its name; 0 for none.
int ccurl_check_alpn(void *check, const unsigned char **name);

// The certificates of a check.
enum ccurl_chain {
  CCURL_SERVED,     // as the server sent them
  CCURL_VALIDATED,  // the path that was built, as far as it was
};
int ccurl_chain_count(void *check, enum ccurl_chain chain);
// One of them, an X509 of the check; NULL if there is none.
const void *ccurl_chain_certificate(void *check, enum ccurl_chain chain, int index);

// The protocol ("TLSv1.3") of the connection that a transfer is using; NULL for none.
const char *ccurl_tls_protocol(CURL *easy);

// The box of ccurl_tls_guard() of the connection that a transfer is using; NULL without TLS.
void *ccurl_connection_box(CURL *easy);

// The connection that a transfer is using if it serves one request at a time: TLS without HTTP/2. NULL for any other. It identifies the connection, and must not be used otherwise.
const void *ccurl_exclusive_connection(CURL *easy);

#endif
