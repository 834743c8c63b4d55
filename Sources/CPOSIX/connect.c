#define _GNU_SOURCE
#include "cposix.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int read_address(const struct sockaddr *from, struct cposix_address *to) {
  memset(to, 0, sizeof *to);
  if (from->sa_family == AF_INET) {
    to->count = 4;
    memcpy(to->bytes, &((const struct sockaddr_in *)from)->sin_addr, 4);
  } else if (from->sa_family == AF_INET6) {
    to->count = 16;
    memcpy(to->bytes, &((const struct sockaddr_in6 *)from)->sin6_addr, 16);
  }
  return to->count;
}

int cposix_addresses(const char *host, struct cposix_address *found, int limit) {
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *list = NULL;
  if (getaddrinfo(host, NULL, &hints, &list) != 0) return -1;
  int count = 0;
  for (const struct addrinfo *entry = list; entry; entry = entry->ai_next) {
    struct cposix_address address;
    if (!read_address(entry->ai_addr, &address)) continue;
    int is_new = 1;
    for (int i = 0; i < count && i < limit; i++)
      if (memcmp(&found[i], &address, sizeof address) == 0) is_new = 0;
    if (!is_new) continue;
    if (count < limit) found[count] = address;
    count++;
  }
  freeaddrinfo(list);
  return count > 0 ? count : -1;
}

int cposix_connect(const struct cposix_address *address, uint16_t port) {
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
  memcpy(&v4.sin_addr, address->bytes, sizeof v4.sin_addr);
  memcpy(&v6.sin6_addr, address->bytes, sizeof v6.sin6_addr);
  int is_v4 = address->count == 4;
  int fd = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -errno;
  int result = is_v4 ? connect(fd, (struct sockaddr *)&v4, sizeof v4)
                     : connect(fd, (struct sockaddr *)&v6, sizeof v6);
  // After a signal the attempt goes on as well.
  if (result == 0 || errno == EINPROGRESS || errno == EINTR) return fd;
  int code = errno;
  close(fd);
  return -code;
}

int cposix_connection_error(int fd) {
  int code = 0;
  socklen_t size = sizeof code;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) < 0 ? errno : code;
}

int cposix_duplicate(int fd) {
  int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  return copy < 0 ? -errno : copy;
}
