import Glibc

/// A program started by this one.
///
/// It has the descriptors it is given; ours all close by themselves.
struct Spawn {
  let processID: pid_t

  /// Starts a program.
  ///
  /// The child has the descriptors as 0, 1, 2 and so on; in a new session it leaves the terminal
  /// and outlives it. The result is nothing when there is no such program.
  init?(_ program: String, _ arguments: [String], descriptors: [Int32], newSession: Bool = false) {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    var pipeSignal = sigset_t()
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &pipeSignal)
    let flags =
      POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (newSession ? Self.setSession : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let words = ([program] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    var identifier = pid_t()
    guard posix_spawnp(&identifier, program, &actions, &attributes, words + [nil], environ) == 0
    else { return nil }
    processID = identifier
  }

  /// Waits for its end.
  func exitCode() -> Int32 {
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0 { guard errno == EINTR else { return -1 } }
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + (status & 0x7f)
  }

  /// POSIX_SPAWN_SETSID of spawn.h.
  private static let setSession: Int32 = 0x80
}

/// A finished program: its exit code and what it printed.
struct Finished {
  let exitCode: Int32
  let output: String

  /// Runs a program to its end, or returns nothing when there is no such program.
  init?(_ program: String, _ arguments: [String]) {
    guard let ends = Descriptor.pipe() else { return nil }
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer {
      close(ends[0])
      close(null)
    }
    let child = Spawn(program, arguments, descriptors: [null, ends[1], ends[1]])
    close(ends[1])
    guard let child else { return nil }
    output = String(decoding: Descriptor.readAll(ends[0]), as: UTF8.self)
    exitCode = child.exitCode()
  }
}
