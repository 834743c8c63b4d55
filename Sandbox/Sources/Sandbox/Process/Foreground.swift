import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// A sandbox that serves in this process until a signal ends it.
struct Foreground {
  let directory: StateDirectory
  let port: Int
  /// The port for mutual TLS, if one was asked for.
  let mutualPort: Int?
  let settings: Settings
  let arguments: Arguments

  func serve() throws -> Int32 {
    let announcement = try arguments.number("announce", in: 3...3).map(Int32.init)
    do {
      return try serve(announcingTo: announcement)
    } catch let failure as Failure {
      guard let announcement else { throw failure }
      Announcement.failed(failure).send(to: announcement)
      return failure.exit.rawValue
    }
  }

  private func serve(announcingTo announcement: Int32?) throws -> Int32 {
    guard let lock = try InstanceLock(directory) else {
      throw Failure(
        "could not start the sandbox: one is running already", hint: "sdkctl-sandbox stop",
        exit: .busy)
    }
    defer { withExtendedLifetime(lock) {} }
    let log = try openLog()
    if directory.read(.processID) != nil { log.note("the last sandbox ended without cleaning up") }
    directory.remove(.processID, .port, .control)
    let signals = EndSignals()
    let chain = try directory.serverChain()
    let sandbox = try Sandbox(
      settings: try settingsWithAuthority(), serverCertificate: try chain.leaf())
    let foreign = try Authority(name: "Swapped", now: Date()).serverChain(now: Date())
    let pins = try chain.pins()
    let listeners = Listeners(
      sandbox: sandbox, tls: TLSSetup(chain: chain, swapped: foreign), log: log,
      directory: directory, pins: pins)
    try open(listeners)
    try directory.write("\(getpid())\n", to: .processID)
    try directory.write("\(sandbox.port)\n", to: .port)
    log.note("serving \(sandbox.issuer)")
    let address = ServedAddress(
      port: sandbox.port, mutualPort: sandbox.mutualPort, pins: pins,
      payloadKey: settings.payloadEncryption ? sandbox.payloadKey.hex : nil)
    if let announcement {
      Announcement.serving(address).send(to: announcement)
    } else {
      Summary(address: address, directory: directory).tell(arguments, isForeground: true)
    }
    let signal = signals.wait()
    log.note("ended by signal \(signal)")
    directory.remove(.processID, .port, .control)
    return EndSignals.finish(signal)
  }

  /// Opens the sockets from within the directory: the path of a socket has at most 107 bytes.
  private func open(_ listeners: Listeners) throws(Failure) {
    let here = Glibc.open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer {
      if here >= 0 {
        _ = fchdir(here)
        close(here)
      }
    }
    guard chdir(directory.path) == 0 else {
      throw Failure("could not enter '\(directory.path)': \(systemText())", exit: .store)
    }
    try wait { () async throws(Failure) in
      try await listeners.open(port: port, mutualPort: mutualPort)
    }
  }

  /// What `start` was told, and that the sandbox's own authority vouches for clients.
  private func settingsWithAuthority() throws -> Settings {
    var settings = settings
    if let authority = directory.keptAuthority {
      settings.clientRoots.append(authority.root)
      settings.clientIntermediates.append(authority.intermediate)
    }
    return settings
  }

  private func openLog() throws(Failure) -> AccessLog {
    let path = directory.file(.log)
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
    let descriptor = Glibc.open(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw Failure("could not open '\(path)': \(systemText())", exit: .store)
    }
    // A long log begins anew rather than growing from start to start.
    var facts = stat()
    if fstat(descriptor, &facts) == 0, facts.st_size > 4 << 20 { _ = ftruncate(descriptor, 0) }
    return AccessLog(descriptor: descriptor)
  }

  /// Runs asynchronous work to its end on other threads while this one waits.
  private func wait(_ work: @escaping @Sendable () async throws(Failure) -> Void) throws(Failure) {
    let outcome = Outcome()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      do throws(Failure) { try await work() } catch { outcome.failure.withLock { $0 = error } }
      done.signal()
    }
    done.wait()
    if let failure = outcome.failure.withLock({ $0 }) { throw failure }
  }

  private final class Outcome: Sendable {
    let failure = Mutex<Failure?>(nil)
  }
}
