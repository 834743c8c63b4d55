#define _GNU_SOURCE
#include "cposix.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

// An address holds about a hundred bytes of path. By way of its open folder a name always fits.
static int address_of(struct sockaddr_un *a, int folder, const char *name) {
  memset(a, 0, sizeof *a);
  a->sun_family = AF_UNIX;
  int size = snprintf(a->sun_path, sizeof a->sun_path, "/proc/self/fd/%d/%s", folder, name);
  return size < 0 || (size_t)size >= sizeof a->sun_path ? -ENAMETOOLONG : 0;
}

static int local_socket(void) {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int cposix_listen_local(int folder, const char *name) {
  struct sockaddr_un a;
  int code = address_of(&a, folder, name);
  if (code) return code;
  int fd = local_socket();
  if (fd < 0) return -errno;
  if (bind(fd, (struct sockaddr *)&a, sizeof a) < 0 || fchmodat(folder, name, 0600, 0) < 0 ||
      listen(fd, SOMAXCONN) < 0) {
    code = errno;
    close(fd);
    return -code;
  }
  return fd;
}

int cposix_connect_local(int folder, const char *name) {
  struct sockaddr_un a;
  int code = address_of(&a, folder, name);
  if (code) return code;
  int fd = local_socket();
  if (fd < 0) return -errno;
  if (connect(fd, (struct sockaddr *)&a, sizeof a) < 0) {
    code = errno;
    close(fd);
    return -code;
  }
  return fd;
}

int cposix_peer_user(int fd, unsigned *user) {
#ifdef __linux__
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) return -errno;
  *user = peer.uid;
#else
  uid_t uid;
  gid_t gid;
  if (getpeereid(fd, &uid, &gid) < 0) return -errno;
  *user = uid;
#endif
  return 0;
}
