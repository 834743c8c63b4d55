// Every function of libmicrohttpd is looked up here and nowhere else; nothing links to it.

#define _GNU_SOURCE
#include "cmicrohttpd.h"
#include "cposix.h"

#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// The numbers of microhttpd.h.
enum {
  FLAG_INTERNAL_THREAD = 8, FLAG_TLS = 2, FLAG_EPOLL = 512, FLAG_SUSPEND_RESUME = 8192 | 1024, FLAG_ERROR_LOG = 1,
  OPTION_END = 0, OPTION_MEMORY = 1, OPTION_CONNECTIONS = 2, OPTION_TIMEOUT = 3,
  OPTION_COMPLETED = 4, OPTION_TARGET = 7, OPTION_LISTENER = 12, OPTION_LOGGER = 13,
  OPTION_STRICT = 29, OPTION_SIGPIPE_IS_HANDLED = 33,
  OPTION_PRIORITIES = 11, OPTION_ARRAY = 15, OPTION_AUTHORITIES = 20, OPTION_CERTIFICATES = 22,
  OPTION_NOTIFY_CONNECTION = 27, CONNECTION_STARTED = 0,
  INFO_TLS_SESSION = 3, INFO_SOCKET = 6, INFO_HEAD_SIZE = 10,
  KIND_FIELD = 1, COPIES_BYTES = 2, NEVER_CHUNKED = 1, BLOCK_SIZE = 64 << 10,
};

struct option {
  int name;
  intptr_t number;
  const void *pointer;
};

union connection_info {
  size_t size;
  int socket;
  const void *pointer;
};

static struct {
  const char *(*version)(void);
  struct MHD_Daemon *(*start)(unsigned flags, uint16_t port, void *accept, void *accept_box,
                              void *handler, void *box, ...);
  void (*stop)(struct MHD_Daemon *daemon);
  int (*quiesce)(struct MHD_Daemon *daemon);
  int (*values)(struct MHD_Connection *connection, int kind, chttpd_field_function function, void *box);
  const union connection_info *(*info)(struct MHD_Connection *connection, int kind, ...);
  void (*suspend)(struct MHD_Connection *connection);
  void (*resume)(struct MHD_Connection *connection);
  struct MHD_Response *(*from_bytes)(size_t size, void *bytes, int mode);
  struct MHD_Response *(*from_function)(uint64_t size, size_t block, chttpd_read_function read,
                                        void *box, chttpd_release_function release);
  int (*add_field)(struct MHD_Response *response, const char *name, const char *value);
  int (*set_options)(struct MHD_Response *response, int flags, ...);
  int (*queue)(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response);
  void (*release)(struct MHD_Response *response);
} mhd;
static struct cposix_library library = {
    "libmicrohttpd.so.12\0",
    "MHD_get_version\0MHD_start_daemon\0MHD_stop_daemon\0MHD_quiesce_daemon\0"
    "MHD_get_connection_values_n\0MHD_get_connection_info\0MHD_suspend_connection\0"
    "MHD_resume_connection\0MHD_create_response_from_buffer\0MHD_create_response_from_callback\0"
    "MHD_add_response_header\0MHD_set_response_options\0MHD_queue_response\0"
    "MHD_destroy_response\0",
    &mhd};
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char reason_text[320];
static const char *reason;

static void load(void) {
  const char *cause = cposix_open(&library);
  if (!cause) return;
  snprintf(reason_text, sizeof reason_text, "libmicrohttpd could not be opened: %s", cause);
  reason = reason_text;
}

const char *chttpd_load(void) {
  pthread_once(&once, load);
  return reason;
}

// Its messages are about clients; the responses say the same.
static void ignore(void *box, const char *format, va_list values) {
  (void)box, (void)format, (void)values;
}

static void notify(void *opened, struct MHD_Connection *connection, void **context, int event) {
  (void)context;
  void *session = chttpd_tls_session(connection);
  if (event == CONNECTION_STARTED && session) ((void (*)(void *))opened)(session);
}

struct MHD_Daemon *chttpd_start(int listener, struct chttpd_callbacks callbacks,
                                struct chttpd_limits limits, const struct chttpd_tls *tls) {
  struct option options[5] = {{0}};
  if (tls) {
    options[0] = (struct option){OPTION_CERTIFICATES, 0, tls->certificates};
    options[1] = (struct option){OPTION_PRIORITIES, 0, tls->priorities};
    options[2] = (struct option){OPTION_NOTIFY_CONNECTION, (intptr_t)notify, (void *)tls->opened};
    if (tls->authorities) options[3] = (struct option){OPTION_AUTHORITIES, 0, tls->authorities};
  }
  return mhd.start(FLAG_INTERNAL_THREAD | FLAG_EPOLL | FLAG_SUSPEND_RESUME | FLAG_ERROR_LOG |
                       (tls ? FLAG_TLS : 0),
                   0, (void *)callbacks.admit, callbacks.box, (void *)callbacks.handle, callbacks.box,
                   OPTION_ARRAY, options,
                   OPTION_LOGGER, ignore, NULL,
                   OPTION_LISTENER, listener,
                   OPTION_TARGET, callbacks.begin, callbacks.box,
                   OPTION_COMPLETED, callbacks.end, callbacks.box,
                   OPTION_CONNECTIONS, limits.connections,
                   OPTION_TIMEOUT, limits.idle_seconds,
                   OPTION_MEMORY, limits.memory,
                   OPTION_STRICT, 1,
                   OPTION_SIGPIPE_IS_HANDLED, 1,
                   OPTION_END);
}

void chttpd_quiesce(struct MHD_Daemon *daemon) { mhd.quiesce(daemon); }
void chttpd_stop(struct MHD_Daemon *daemon) { mhd.stop(daemon); }

void chttpd_fields(struct MHD_Connection *connection, chttpd_field_function function, void *box) {
  mhd.values(connection, KIND_FIELD, function, box);
}

static const union connection_info *info(struct MHD_Connection *connection, int kind) {
  return mhd.info(connection, kind);
}

static size_t head_size(struct MHD_Connection *connection) {
  const union connection_info *size = info(connection, INFO_HEAD_SIZE);
  return size ? size->size : SIZE_MAX;
}

int chttpd_socket(struct MHD_Connection *connection) {
  const union connection_info *socket = info(connection, INFO_SOCKET);
  return socket ? socket->socket : -1;
}

void *chttpd_tls_session(struct MHD_Connection *connection) {
  const union connection_info *session = info(connection, INFO_TLS_SESSION);
  return session ? (void *)session->pointer : NULL;
}

int chttpd_is_closed(int socket) {
  struct pollfd entry = {.fd = socket, .events = POLLRDHUP};
  return poll(&entry, 1, 0) > 0 && entry.revents & (POLLRDHUP | POLLHUP | POLLERR);
}

struct plain {
  const char *end;  // of the last line, without its line end
  int is_plain;
};

static int next_line(void *box, int kind, const char *name, size_t name_size, const char *value,
                     size_t value_size) {
  (void)kind;
  struct plain *head = box;
  head->is_plain = name == head->end + 2 && value > name + name_size;
  head->end = value + value_size;
  return head->is_plain;
}

// From version 1.0 on the strict mode itself refuses what is looked for here. Versions before leave the
// parts of the head in the buffer into which they were read. So between the end of a line and the beginning
// of the next there are two bytes, CR and LF; a NUL, a bare LF and a folded line (whose text they append to
// the name) make it another number.
int chttpd_is_strict(void) { return strncmp(mhd.version(), "0.", 2) != 0; }

int chttpd_is_plain(struct MHD_Connection *connection, const char *method, const char *version,
                    size_t target_size) {
  if (chttpd_is_strict()) return 1;
  if (version != method + strlen(method) + 1 + target_size + 1) return 0;
  struct plain head = {version + strlen(version), 1};
  mhd.values(connection, KIND_FIELD, next_line, &head);
  return head.is_plain && head.end + 4 == method + head_size(connection);
}

static int is_bare(const char *end) {
  return end[-1] == '\r' || (end[-1] == '\n' && end[-2] != '\r');
}

// Versions before 1.0 give a piece out in the buffer into which it was read, with the lines before it, unless
// they arrived earlier. The buffer begins behind the head, whose lines end with NUL by now.
int chttpd_is_plain_piece(const char *bytes) {
  if (bytes[-1] && is_bare(bytes)) return 0;
  if (bytes[-1] != '\n') return 1;
  const char *line = bytes - 2;
  while (line[-1] && line[-1] != '\n' && line[-1] != '\r') line--;
  return !line[-1] || !is_bare(line);
}

void chttpd_suspend(struct MHD_Connection *connection) { mhd.suspend(connection); }
void chttpd_resume(struct MHD_Connection *connection) { mhd.resume(connection); }

struct MHD_Response *chttpd_response(const void *bytes, size_t count) {
  return mhd.from_bytes(count, (void *)bytes, COPIES_BYTES);
}

struct MHD_Response *chttpd_streamed_response(uint64_t size, chttpd_read_function read, void *box,
                                              chttpd_release_function release) {
  struct MHD_Response *response = mhd.from_function(size, BLOCK_SIZE, read, box, release);
  if (!response) release(box);
  return response;
}

static ssize_t read_nothing(void *box, uint64_t position, char *buffer, size_t size) {
  (void)box, (void)position, (void)buffer, (void)size;
  return CHTTPD_END;
}

// Of an unknown size, the library would announce chunks, and versions before 1.0 send the last one: a client
// would read it as the beginning of the next response.
struct MHD_Response *chttpd_head_response(uint64_t size) {
  struct MHD_Response *response = mhd.from_function(size, BLOCK_SIZE, read_nothing, NULL, NULL);
  if (response && size == CHTTPD_SIZE_UNKNOWN) mhd.set_options(response, NEVER_CHUNKED, OPTION_END);
  return response;
}

int chttpd_add_field(struct MHD_Response *response, const char *name, const char *value) {
  return mhd.add_field(response, name, value);
}

int chttpd_queue(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response) {
  int is_queued = mhd.queue(connection, status, response);
  mhd.release(response);
  return is_queued;
}
