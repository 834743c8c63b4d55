import Glibc

/// The signals that end a sandbox, kept from every thread until someone waits for them.
struct EndSignals {
  private var set = sigset_t()

  /// Holds the signals back; threads that start later do so too.
  init() {
    sigemptyset(&set)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  func wait() -> Int32 {
    var set = set
    var number: Int32 = 0
    while sigwait(&set, &number) != 0 {}
    return number
  }

  /// Ends as the signal wants it: `stop` sends SIGTERM and that is success; the others are
  /// raised again so that the parent sees them.
  static func finish(_ number: Int32) -> Int32 {
    guard number != SIGTERM else { return 0 }
    signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    kill(getpid(), number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    return 128 + number
  }
}
