import Glibc

/// A sandbox in a process of its own: started, waited for until it serves, then left alone.
struct Background {
  let directory: StateDirectory
  let arguments: Arguments

  init(_ directory: StateDirectory, _ arguments: Arguments) {
    self.directory = directory
    self.arguments = arguments
  }

  func start() throws -> Int32 {
    let announcement = try announcement()
    guard case .serving(let address) = announcement else { return 1 }
    Summary(address: address, directory: directory).tell(arguments, isForeground: false)
    return 0
  }

  private func announcement() throws(Failure) -> Announcement {
    guard let ends = Descriptor.pipe() else {
      throw Failure("could not start the sandbox: \(systemText())")
    }
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    let log = open(directory.file(.log), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { for descriptor in [ends[0], null, log] { close(descriptor) } }
    let child = Spawn(
      "/proc/self/exe", childArguments, descriptors: [null, log, log, ends[1]], newSession: true)
    close(ends[1])
    guard child != nil else { throw Failure("could not start the sandbox: \(systemText())") }
    switch Announcement(Descriptor.readAll(ends[0])) {
    case .failed(let failure): throw failure
    case .some(let serving): return serving
    case nil:
      throw Failure(
        "could not start the sandbox: it ended before it served", hint: "sdkctl-sandbox log")
    }
  }

  /// The same order, for the child: its own directory, and the descriptor to tell us on.
  private var childArguments: [String] {
    let passed = arguments.values.filter { !["background", "dir", "json"].contains($0.key) }
    let words = passed.sorted { $0.key < $1.key }.map { name, value in
      value.isEmpty ? "--\(name)" : "--\(name)=\(value)"
    }
    return ["start", "--dir=\(directory.path)", "--announce=3"] + words
  }
}
