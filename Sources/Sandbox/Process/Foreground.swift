import POSIX

/// A sandbox that serves in this process until a signal ends it.
struct Foreground {
  let directory: StateDirectory
  let settings: Settings
  let arguments: Start.Arguments
  /// The process that waits for this one to serve, if one does.
  let parent: Background?
  let context: Context

  func serve() async throws(Failure) {
    do {
      try await serveUntilSignal()
    } catch let failure as Failure {
      parent?.announce(.failed(failure))
      throw failure
    } catch {
      throw Failure("could not start the sandbox: \(error)")
    }
  }

  private func serveUntilSignal() async throws {
    guard let lock = try await InstanceLock.acquire(directory) else {
      throw Failure(
        "could not start the sandbox: one is running already", hint: "sdkctl-sandbox stop",
        exit: .busy)
    }
    let log = try log()
    if directory.read(.processID) != nil { log.note("the last sandbox ended without cleaning up") }
    directory.remove(.processID, .port, .control)
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
    try listeners.open(port: arguments.port, mutualPort: arguments.mutualPort, in: directory)
    try directory.write("\(ProcessName.number)\n", to: .processID)
    try directory.write("\(sandbox.port)\n", to: .port)
    log.note("serving \(sandbox.issuer)")
    let address = ServedAddress(
      port: sandbox.port, mutualPort: sandbox.mutualPort, pins: pins,
      payloadKey: settings.payloadEncryption ? sandbox.payloadKey.hex : nil)
    if let parent {
      parent.announce(.serving(address))
    } else {
      try await Summary(address: address, directory: directory)
        .tell(arguments, context, isForeground: true)
    }
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    log.note("ended by signal \(Signals.arrived ?? 0)")
    directory.remove(.processID, .port, .control)
    lock.release()
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

  /// The log; a long one begins anew rather than growing from start to start.
  private func log() throws(Failure) -> AccessLog {
    let path = directory.file(.log)
    do throws(SystemError) {
      let isLong = (try? FileStatus.of(path)).map { $0.size > 4 << 20 } ?? false
      return AccessLog(file: try LogFile(path, appends: !isLong))
    } catch {
      throw Failure("open '\(path)'", error)
    }
  }
}
