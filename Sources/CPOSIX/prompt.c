#define _GNU_SOURCE
#include "cposix.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { WATCHED = 5 };
static const int watched[WATCHED] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
static struct sigaction before[WATCHED];
static struct termios usual, asking;
static _Atomic int terminal = -1;

static void take_default(int number, struct sigaction *old) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, old);
}

// Stops here, in the handler, and goes on asking when the shell brings the process back.
static void stop_and_resume(void) {
  struct sigaction own;
  sigset_t stop, old;
  take_default(SIGTSTP, &own);
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  raise(SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &stop, &old);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  sigaction(SIGTSTP, &own, NULL);
  if (terminal >= 0) tcsetattr(terminal, TCSAFLUSH, &asking);
}

// Only calls that POSIX lists as async-signal-safe.
static void on_signal(int number) {
  int code = errno;
  if (terminal >= 0) tcsetattr(terminal, TCSAFLUSH, &usual);
  if (number == SIGTSTP) {
    stop_and_resume();
  } else {
    take_default(number, NULL);
    raise(number);  // blocked until this handler returns, deadly then
  }
  errno = code;
}

int cposix_prompt_begin(int tty, enum cposix_prompt prompt) {
  if (tcgetattr(tty, &usual) < 0) return -errno;
  asking = usual;
  if (prompt != CPOSIX_PROMPT_LINE) {
    asking.c_lflag &= ~(tcflag_t)ECHO;
    asking.c_lflag |= ECHONL;
  }
  asking.c_lflag |= ICANON | ISIG;
  if (prompt == CPOSIX_PROMPT_PASTE) {
    asking.c_lflag &= ~(tcflag_t)ICANON;
    asking.c_cc[VMIN] = 1;
    asking.c_cc[VTIME] = 0;
  }
  terminal = tty;
  struct sigaction action = {.sa_handler = on_signal};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < WATCHED; i++) {
    sigaction(watched[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(watched[i], &action, NULL);
  }
  if (tcsetattr(tty, TCSAFLUSH, &asking) < 0) {
    int code = errno;
    cposix_prompt_end();
    return -code;
  }
  return 0;
}

// The terminal first, the handlers after: a signal in between still finds a terminal in order.
void cposix_prompt_end(void) {
  int tty = terminal;
  if (tty < 0) return;
  tcsetattr(tty, TCSAFLUSH, &usual);
  terminal = -1;
  for (int i = 0; i < WATCHED; i++) sigaction(watched[i], &before[i], NULL);
}
