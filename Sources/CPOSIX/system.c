#define _GNU_SOURCE
#include "cposix.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/resource.h>
#endif

static int argument_count;
static char **arguments;

// glibc gives constructors what it gives to `main`: the entry of a Swift program drops it, and the
// runtime reads /proc instead, which may be missing.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
  argument_count = count;
  arguments = words;
}

int cposix_arguments(char ***words) {
  *words = arguments;
  return argument_count;
}

const char *cposix_error_text(int code, char *buffer, size_t size) {
#ifdef __GLIBC__
  return strerror_r(code, buffer, size);
#else
  return strerror_r(code, buffer, size) == 0 ? buffer : "unknown error";
#endif
}

int cposix_wake_pipe(int ends[2]) {
  return pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0 ? -errno : 0;
}

int cposix_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) < 0 ? -errno : 0; }

int cposix_address_read(const char *text, uint8_t *bytes) {
  if (inet_pton(AF_INET, text, bytes) == 1) return 4;
  return inet_pton(AF_INET6, text, bytes) == 1 ? 16 : 0;
}

void cposix_address_write(const uint8_t *bytes, int count, char *buffer, size_t size) {
  inet_ntop(count == 4 ? AF_INET : AF_INET6, bytes, buffer, (socklen_t)size);
}

static int bind_loopback(int fd, int v6, uint16_t port) {
  int yes = 1;
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0) return -1;
  if (!v6) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return bind(fd, (struct sockaddr *)&a, sizeof a);
  }
  if (setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes) < 0) return -1;
  struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  a.sin6_addr = in6addr_loopback;
  return bind(fd, (struct sockaddr *)&a, sizeof a);
}

static int port_of(int fd, uint16_t *port) {
  struct sockaddr_storage a;
  socklen_t size = sizeof a;
  if (getsockname(fd, (struct sockaddr *)&a, &size) < 0) return -1;
  *port = ntohs(a.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&a)->sin6_port
                                        : ((struct sockaddr_in *)&a)->sin_port);
  return 0;
}

union end {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
};

int cposix_end(int fd, int is_peer, uint8_t *bytes, uint16_t *port) {
  union end a;
  socklen_t size = sizeof a;
  if ((is_peer ? getpeername(fd, &a.any, &size) : getsockname(fd, &a.any, &size)) < 0) return 0;
  return cposix_end_of(&a, size, bytes, port);
}

int cposix_end_of(const void *address, size_t size, uint8_t *bytes, uint16_t *port) {
  union end a = {{0}};
  memcpy(&a, address, size < sizeof a ? size : sizeof a);
  if (a.any.sa_family == AF_INET) {
    *port = ntohs(a.v4.sin_port);
    memcpy(bytes, &a.v4.sin_addr, 4);
    return 4;
  }
  if (a.any.sa_family != AF_INET6) return 0;
  *port = ntohs(a.v6.sin6_port);
  memcpy(bytes, &a.v6.sin6_addr, 16);
  return 16;
}

int cposix_listen_loopback(int v6, uint16_t port, uint16_t *bound) {
  int fd = socket(v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -errno;
  if (bind_loopback(fd, v6, port) < 0 || listen(fd, SOMAXCONN) < 0 || port_of(fd, bound) < 0) {
    int code = errno;
    close(fd);
    return -code;
  }
  return fd;
}

int cposix_accept(int listener) {
  int fd;
  do fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  while (fd < 0 && (errno == EINTR || errno == ECONNABORTED));
  return fd < 0 ? -errno : fd;
}

int cposix_refuse_dumps(void) {
#ifdef __linux__
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ? -errno : 0;
#else
  return 0;
#endif
}

static _Thread_local void *own;

void *cposix_own(void) { return own; }
void cposix_set_own(void *object) { own = object; }

int cposix_may_dump(void) {
#ifdef __linux__
  if (prctl(PR_GET_DUMPABLE) == 0) return 0;
#endif
  struct rlimit limit;
  return getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur > 0;
}

int cposix_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int cposix_replacement_error(const char *path) {
#ifdef STATX_ATTR_MOUNT_ROOT
  struct statx status;
  if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0, &status) != 0) return 0;
  if (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) return EBUSY;
  if (status.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)) return EPERM;
#endif
  return 0;
}
