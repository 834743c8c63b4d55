#define _GNU_SOURCE
#include "cposix.h"

#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

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
