import CPOSIX
import Glibc
import Synchronization

package enum ProcessSetup {
  /// To be called first in `main`.
  ///
  /// New files are private, descriptors 0 to 2 are open, a closed pipe and a file size limit are
  /// errors instead of signals, and no core file is written.
  package static func prepare() {
    restrictNewFiles()
    openStandardDescriptors()
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // A crash must not print memory, as Swift's own handlers would.
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGQUIT] {
      signal(number, SIG_DFL)
    }
    refuseDumps()
    // libcurl would write the secrets of every connection to this file. Later, with
    // other threads running, the environment must not be changed.
    unsetenv("SSLKEYLOGFILE")
  }

  /// The arguments, byte for byte, with the name of the program first.
  package static var rawArguments: [[UInt8]] {
    var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = cposix_arguments(&words)
    return UnsafeBufferPointer(start: words, count: Int(count)).compactMap { word in
      word.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }

  /// Ends the process at once: no handler runs, no buffer is flushed.
  package static func exit(_ code: Int32) -> Never { _exit(code) }

  /// Ends the process with a signal, so that the parent process sees that signal.
  package static func reraise(_ number: Int32) -> Never {
    signal(number, SIG_DFL)
    var one = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, number)
    pthread_sigmask(SIG_UNBLOCK, &one, nil)
    raise(number)
    _exit(128 + number)
  }

  /// The umask that this process was started with; `nil` before ``prepare()``.
  package static var originalMask: UInt32? { original.withLock { $0?.mask } }

  /// Runs the body with the umask and the core limit that this process was started with: what
  /// a program started by us should inherit.
  static func withOriginalLimits<Value>(_ body: () -> Value) -> Value {
    let before = original.withLock { $0 }
    guard let before else { return body() }
    let own = umask(before.mask)
    defer { umask(own) }
    return body()
  }

  /// Restores the core limit, before another program replaces this one.
  static func restoreCoreLimit() {
    if var limit = original.withLock({ $0?.core }) { setrlimit(coreFiles, &limit) }
  }

  private struct Original {
    let mask: mode_t
    let core: rlimit
  }

  private static let original = Mutex<Original?>(nil)
  private static var coreFiles: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_CORE.rawValue) }

  private static func restrictNewFiles() {
    let mask = umask(0o077)
    var core = rlimit()
    getrlimit(coreFiles, &core)
    let found = Original(mask: mask, core: core)
    original.withLock { $0 = $0 ?? found }
  }

  /// A missing output is opened for reading, so that writing to it fails.
  private static func openStandardDescriptors() {
    for (number, flags) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDWR)]
    where fcntl(number, F_GETFD) < 0 {
      let opened = open("/dev/null", flags)
      if opened >= 0, opened != number {
        dup2(opened, number)
        close(opened)
      }
    }
  }

  private static func refuseDumps() {
    var limit = rlimit()
    getrlimit(coreFiles, &limit)
    limit.rlim_cur = 0
    setrlimit(coreFiles, &limit)
    _ = cposix_refuse_dumps()
  }
}

/// What names this process among those of several machines.
package enum ProcessName {
  package static var number: Int32 { getpid() }

  /// The name of the machine and the number of the process.
  package static var text: String {
    var bytes = [CChar](repeating: 0, count: 256)
    gethostname(&bytes, bytes.count - 1)
    let name = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return "\(String(decoding: name, as: UTF8.self)), process \(getpid())"
  }
}

package enum Processors {
  /// How many can be used now, at least 1.
  package static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
