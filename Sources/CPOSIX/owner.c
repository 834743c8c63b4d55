#define _GNU_SOURCE
#include "cposix.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <sys/socket.h>

struct question {
  struct nlmsghdr header;
  struct inet_diag_req_v2 socket;
};

union answer {
  struct nlmsghdr header;
  char bytes[1024];
};

static int ask(const struct question *question, union answer *answer) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (fd < 0) return -errno;
  // The answer is there when the question was sent.
  ssize_t size = send(fd, question, sizeof *question, 0);
  if (size >= 0) size = recv(fd, answer, sizeof *answer, MSG_DONTWAIT);
  int code = size < 0 ? -errno : (int)size;
  close(fd);
  return code;
}

int cposix_socket_owner(const uint8_t local[4], uint16_t local_port, const uint8_t remote[4],
                        uint16_t remote_port, unsigned *user) {
  struct question question;
  memset(&question, 0, sizeof question);
  question.header.nlmsg_len = sizeof question;
  question.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.header.nlmsg_flags = NLM_F_REQUEST;
  question.socket.sdiag_family = AF_INET;
  question.socket.sdiag_protocol = IPPROTO_TCP;
  question.socket.idiag_states = ~0U;
  question.socket.id.idiag_sport = htons(local_port);
  question.socket.id.idiag_dport = htons(remote_port);
  memcpy(question.socket.id.idiag_src, local, 4);
  memcpy(question.socket.id.idiag_dst, remote, 4);
  question.socket.id.idiag_cookie[0] = question.socket.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  union answer answer;
  int size = ask(&question, &answer);
  if (size < 0) return size;
  if (size >= (int)NLMSG_LENGTH(sizeof(struct nlmsgerr)) && answer.header.nlmsg_type == NLMSG_ERROR) {
    int code = ((struct nlmsgerr *)NLMSG_DATA(&answer.header))->error;
    return code < 0 ? code : -EPROTO;
  }
  if (size < (int)NLMSG_LENGTH(sizeof(struct inet_diag_msg)) ||
      answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY)
    return -EPROTO;
  const struct inet_diag_msg *found = NLMSG_DATA(&answer.header);
  // If there is none, the kernel looks for one that listens. One that no process has open any more has the owner 0.
  if (!found->idiag_inode || found->id.idiag_dport != question.socket.id.idiag_dport) return -ENOENT;
  *user = found->idiag_uid;
  return 0;
}
#else
int cposix_socket_owner(const uint8_t local[4], uint16_t local_port, const uint8_t remote[4],
                        uint16_t remote_port, unsigned *user) {
  (void)local, (void)local_port, (void)remote, (void)remote_port, (void)user;
  return -ENOTSUP;
}
#endif
