// libmicrohttpd without linking to it: the library is opened on first use.
//
// chttpd_load() comes before every other function here. Only the few functions and numbers are declared
// that are used, which all versions with the name libmicrohttpd.so.12 have; so no header of the library
// is needed to build.

#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Opens libmicrohttpd; returns NULL, or why it cannot be used. Safe from any thread.
const char *chttpd_load(void);

struct MHD_Daemon;
struct MHD_Connection;
struct MHD_Response;

// All are called on the daemon's thread, with the box of the daemon.
struct chttpd_callbacks {
  void *box;
  // Whether a client with this `struct sockaddr` may connect: 1, or 0 to close its connection at once, which
  // does not count as one. NULL admits everybody.
  int (*admit)(void *box, const void *address, unsigned size);
  // The target of a request, as it was sent, before its fields are read; returns the box of the exchange.
  void *(*begin)(void *box, const char *target, struct MHD_Connection *connection);
  // Once for the head; once for each piece of the body, with the number of bytes, which is set to how many
  // of them were not taken; and then without bytes until a response is queued. 0 closes the connection.
  int (*handle)(void *box, struct MHD_Connection *connection, const char *url, const char *method,
                const char *version, const char *bytes, size_t *count, void **exchange);
  // The exchange has ended: its response is sent, or its connection is closed.
  void (*end)(void *box, struct MHD_Connection *connection, void **exchange, int reason);
};

struct chttpd_limits {
  unsigned connections;
  // How long a connection may send and receive nothing, in seconds.
  unsigned idle_seconds;
  // How much memory a connection may use: the maximum size of a head.
  size_t memory;
};

struct chttpd_tls {
  // A gnutls_certificate_retrieve_function2, called in each handshake.
  const void *certificates;
  // Called with the gnutls_session_t of each connection before its handshake.
  void (*opened)(void *session);
  // A priority string of GnuTLS.
  const char *priorities;
  // Authorities (PEM), whose names each client is told when it is asked for a certificate; or NULL to ask none.
  const char *authorities;
};

// Serves the connections of a listening socket, which stays the caller's, on a thread of its own; in the clear
// without `tls`. NULL on failure.
struct MHD_Daemon *chttpd_start(int listener, struct chttpd_callbacks callbacks,
                                struct chttpd_limits limits, const struct chttpd_tls *tls);
// Accepts no connection any more; comes before chttpd_stop(), which would close the socket.
void chttpd_quiesce(struct MHD_Daemon *daemon);
// Closes all connections, of which none may be suspended, and ends the thread.
void chttpd_stop(struct MHD_Daemon *daemon);

// Called with the name and the value of each header field; 1 to go on.
typedef int (*chttpd_field_function)(void *box, int kind, const char *name, size_t name_size,
                                     const char *value, size_t value_size);
void chttpd_fields(struct MHD_Connection *connection, chttpd_field_function function, void *box);
// Whether each line of the head was read as it was sent: what this version of the library lets pass
// although it could be read in two ways is not so.
int chttpd_is_plain(struct MHD_Connection *connection, const char *method, const char *version,
                    size_t target_size);
// Whether this version of the library refuses a line of a chunked body that does not end with CR and LF.
int chttpd_is_strict(void);
// Whether the lines before a piece of a chunked body end so, as far as they can be seen.
int chttpd_is_plain_piece(const char *bytes);
// The socket of a connection.
int chttpd_socket(struct MHD_Connection *connection);
// The gnutls_session_t of a connection; NULL in the clear.
void *chttpd_tls_session(struct MHD_Connection *connection);
// Whether the other side has closed a socket.
int chttpd_is_closed(int socket);

// A connection is suspended in a callback only, and resumed on any thread.
void chttpd_suspend(struct MHD_Connection *connection);
void chttpd_resume(struct MHD_Connection *connection);

// Fills a buffer; returns how many bytes, CHTTPD_END or CHTTPD_FAILED; 0 after it suspended the connection.
typedef ssize_t (*chttpd_read_function)(void *box, uint64_t position, char *buffer, size_t size);
enum { CHTTPD_END = -1, CHTTPD_FAILED = -2 };
typedef void (*chttpd_release_function)(void *box);
#define CHTTPD_SIZE_UNKNOWN UINT64_MAX

// A response with a copy of the bytes; NULL for a lack of memory.
struct MHD_Response *chttpd_response(const void *bytes, size_t count);
// A response that is read while it is sent; it owns the box.
struct MHD_Response *chttpd_streamed_response(uint64_t size, chttpd_read_function read, void *box,
                                              chttpd_release_function release);
// A response that ends with its head, to a HEAD or with 304. The size is that of the body that a GET would
// get; if it is unknown, the connection is closed.
struct MHD_Response *chttpd_head_response(uint64_t size);
// 1 or 0.
int chttpd_add_field(struct MHD_Response *response, const char *name, const char *value);
// Queues a response and gives it up. 1 or 0.
int chttpd_queue(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response);

#endif
