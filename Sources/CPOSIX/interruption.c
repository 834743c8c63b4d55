#define _GNU_SOURCE
#include "cposix.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

enum { WATCHED = 3 };
static const int watched[WATCHED] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t report_to = -1;

static void on_interruption(int number) {
  int code = errno;
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigemptyset(&usual.sa_mask);
  for (int i = 0; i < WATCHED; i++) {
    struct sigaction now;
    if (sigaction(watched[i], NULL, &now) == 0 && now.sa_handler == on_interruption)
      sigaction(watched[i], &usual, NULL);
  }
  unsigned char byte = (unsigned char)number;
  ssize_t ignored = write(report_to, &byte, 1);
  (void)ignored;
  errno = code;
}

int cposix_watch_interruptions(int descriptor) {
  report_to = descriptor;
  struct sigaction action = {.sa_handler = on_interruption, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < WATCHED; i++) sigaddset(&action.sa_mask, watched[i]);
  for (int i = 0; i < WATCHED; i++) {
    struct sigaction now;
    if (sigaction(watched[i], NULL, &now) < 0) return -errno;
    if (now.sa_handler == SIG_IGN) continue;
    if (sigaction(watched[i], &action, NULL) < 0) return -errno;
  }
  return 0;
}
