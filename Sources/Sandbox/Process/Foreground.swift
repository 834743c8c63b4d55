import Glibc

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
    let foreign = try Authority(name: "Swapped", now: Sandbox.now).serverChain(now: Sandbox.now)
    let pins = try chain.pins()
    let listeners = Listeners(
      sandbox: sandbox,
      tls: TLSSetup(chain: try ServedChain(chain), swapped: try ServedChain(foreign)), log: log,
      directory: directory, pins: pins)
    defer { listeners.close() }
    try listeners.open(port: port, mutualPort: mutualPort, in: directory)
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
}
