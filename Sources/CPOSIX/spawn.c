#define _GNU_SOURCE
#include "cposix.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

static int describe_streams(posix_spawn_file_actions_t *actions, const int streams[3]) {
  for (int target = 0; target < 3; target++) {
    int code = posix_spawn_file_actions_adddup2(actions, streams[target], target);
    if (code) return code;
  }
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

// Handlers end with exec by themselves; what ProcessSetup ignores must be given back. What our
// parent ignored (nohup) stays ignored.
static int describe_process(posix_spawnattr_t *attributes, int new_session) {
  sigset_t ignored, none;
  sigemptyset(&ignored);
  sigaddset(&ignored, SIGPIPE);
  sigaddset(&ignored, SIGXFSZ);
  sigemptyset(&none);
  int code = posix_spawnattr_setsigdefault(attributes, &ignored);
  if (!code) code = posix_spawnattr_setsigmask(attributes, &none);
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
  if (new_session) flags |= POSIX_SPAWN_SETSID;
  return code ? code : posix_spawnattr_setflags(attributes, flags);
}

int cposix_spawn(pid_t *pid, const char *path, char *const argv[], char *const envp[],
                 const int streams[3], int new_session) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code) return -code;
  code = posix_spawnattr_init(&attributes);
  if (!code) {
    code = describe_streams(&actions, streams);
    if (!code) code = describe_process(&attributes, new_session);
    if (!code) code = posix_spawn(pid, path, &actions, &attributes, argv, envp);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return -code;
}

int cposix_replace(const char *path, char *const argv[], char *const envp[]) {
  void (*pipe_was)(int) = signal(SIGPIPE, SIG_DFL);
  void (*size_was)(int) = signal(SIGXFSZ, SIG_DFL);
  execve(path, argv, envp);
  int code = errno;
  signal(SIGPIPE, pipe_was);
  signal(SIGXFSZ, size_was);
  return -code;
}

int cposix_wait(pid_t pid) {
  int status;
  pid_t ended;
  do ended = waitpid(pid, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended < 0) return -errno;
  return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}
