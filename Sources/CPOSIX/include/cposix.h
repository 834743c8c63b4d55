// What Swift cannot say, or cannot say safely, about the system it runs on: signal handlers, and
// the calls of the C library that its Swift overlay does not show.
//
// Every function that can fail returns 0 or more, or a negated errno.

#ifndef SDKCTL_CPOSIX_H
#define SDKCTL_CPOSIX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Text of an errno, into `buffer` or elsewhere; safe from any thread.
const char *cposix_error_text(int code, char *buffer, size_t size);

// Exchanges what two paths name, in one step; -1 and errno if it fails.

// A pipe whose ends are close-on-exec and non-blocking.
int cposix_wake_pipe(int ends[2]);
// A pipe whose ends are close-on-exec.
int cposix_pipe(int ends[2]);

// Reads an IP address; returns how many of 16 bytes were written: 4, 16, or 0 for any other text.
int cposix_address_read(const char *text, uint8_t *bytes);
// Writes an address of 4 or 16 bytes as text.
void cposix_address_write(const uint8_t *bytes, int count, char *buffer, size_t size);

// A listening, non-blocking socket on 127.0.0.1 (or ::1 when `v6`); the port it got in `*bound`.
int cposix_listen_loopback(int v6, uint16_t port, uint16_t *bound);
// The next connection of a listening socket: close-on-exec, non-blocking.
int cposix_accept(int listener);

// One end of a connected TCP socket; returns how many of 16 bytes are its address: 4, 16, or 0 for none.
int cposix_end(int fd, int is_peer, uint8_t *bytes, uint16_t *port);
// The same of a `struct sockaddr` with that size.
int cposix_end_of(const void *address, size_t size, uint8_t *bytes, uint16_t *port);

// The user who owns a TCP socket of this machine with these two ends (IPv4), the other one 0 if it listens. -ENOENT
// if no process has it open, or the kernel does not answer such questions; or another negated errno.
int cposix_socket_owner(const uint8_t local[4], uint16_t local_port, const uint8_t remote[4],
                        uint16_t remote_port, unsigned *user);

// An IP address: 4 or 16 bytes.
struct cposix_address {
  uint8_t count;
  uint8_t bytes[16];
};
// Asks the name servers for the addresses of a host, each once, in the order in which they are to be tried;
// returns how many there are, of which the first `limit` are in `found`, or -1 for none.
int cposix_addresses(const char *host, struct cposix_address *found, int limit);
// A non-blocking socket that begins to connect to an address.
int cposix_connect(const struct cposix_address *address, uint16_t port);
// The errno of a connection that has been made or has failed; 0 if it was made.
int cposix_connection_error(int fd);
// Another number, close-on-exec, of the same file or socket.
int cposix_duplicate(int fd);

// A listening, non-blocking Unix socket of that name in an open folder; mode 0600.
int cposix_listen_local(int folder, const char *name);
// A non-blocking connection to one.
int cposix_connect_local(int folder, const char *name);
// The user at the other end of a Unix socket.
int cposix_peer_user(int fd, unsigned *user);

// How many arguments `main` was given; where they are in `*words`.
int cposix_arguments(char ***words);

// What this thread was given by `cposix_set_own`; at first NULL.
void *cposix_own(void);
void cposix_set_own(void *object);

// No core files, and no tracer of the same user.
int cposix_refuse_dumps(void);
// Whether a crash would write a core file, or hand one to a program.
int cposix_may_dump(void);

// Starts a program with descriptors 0, 1, 2 taken from `streams`, every other one closed, default
// signal handlers and an empty signal mask; in a session of its own if `new_session`.
int cposix_spawn(pid_t *pid, const char *path, char *const argv[], char *const envp[],
                 const int streams[3], int new_session);
// Replaces this process; returns only if that failed.
int cposix_replace(const char *path, char *const argv[], char *const envp[]);
// Waits for a child: its exit status, or 256 + signal.
int cposix_wait(pid_t pid);

// Prepares the terminal for one line of input, hidden if `silent`. A signal that ends or stops the
// process in the meantime finds the terminal as it was before. Not reentrant.
enum cposix_prompt {
  CPOSIX_PROMPT_LINE,
  // What is typed is not shown.
  CPOSIX_PROMPT_SECRET,
  // Nor is it edited by the terminal, whose lines end after 4,095 bytes.
  CPOSIX_PROMPT_PASTE,
};
int cposix_prompt_begin(int tty, enum cposix_prompt prompt);
void cposix_prompt_end(void);

// Lets the first SIGINT, SIGTERM or SIGHUP (where it is not ignored) write its number as one byte
// to `descriptor`; any that follows has its default effect.
int cposix_watch_interruptions(int descriptor);

// A shared library that is opened when it is first needed; nothing links to it.
struct cposix_library {
  // Its file names, of which the first that can be opened is taken, and the names of the functions
  // that are used. A zero byte ends each name, and another one the list.
  const char *files, *functions;
  // A structure of pointers, which gets the addresses of the functions in their order.
  void *table;
  char reason[256];
};
// Opens a library and looks up its functions; returns NULL, or why it cannot be used. It is never
// closed.
const char *cposix_open(struct cposix_library *library);

// Why no other file can be renamed to `path`: EBUSY for a mount point, EPERM for an immutable or
// append-only file; 0 if nothing is known against it.
int cposix_replacement_error(const char *path);

// The columns of the terminal; 0 if they are not known.
int cposix_terminal_columns(int descriptor);

// Names of hosts with A-labels from names with U-labels, or back (IDNA 2008 with UTS #46, not
// transitional), by libidn2. `buffer` gets the result, or the text of a refusal.
enum cposix_idn_result { CPOSIX_IDN_DONE, CPOSIX_IDN_MISSING, CPOSIX_IDN_REFUSED };
int cposix_idn_ascii(const char *name, char *buffer, size_t size);
int cposix_idn_unicode(const char *name, char *buffer, size_t size);

#endif
