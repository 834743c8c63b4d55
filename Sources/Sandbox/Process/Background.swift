import JSON
import POSIX

/// A sandbox in a process of its own: started, waited for until it serves, then left alone.
///
/// It has the same command line, and a variable that tells it to announce itself to its parent on
/// standard output.
struct Background {
  let directory: StateDirectory
  let context: Context

  private static let variable = "SDKCTL_SANDBOX_PARENT"

  /// Whether this process was started so.
  var isChild: Bool { context.environment[Self.variable] != nil }

  /// Starts it.
  ///
  /// - Returns: where it serves.
  func start() throws(Failure) -> ServedAddress {
    let line: [UInt8]
    do throws(SystemError) {
      var environment = context.environment
      environment[Self.variable] = "1"
      let output = try Spawn.detached(
        Paths.executable ?? "sdkctl-sandbox", context.words, environment: environment,
        errors: directory.file(.log))
      line = try withExtendedLifetime(output) { (output) throws(SystemError) in
        var reader = try LineReader(
          operand: "-", Input(descriptor: output.number), limit: 65_536)
        return try reader.next().first ?? []
      }
    } catch {
      throw Failure("start the sandbox", error, exit: .other)
    }
    switch Announcement(line) {
    case .failed(let failure): throw failure
    case .serving(let address): return address
    case nil:
      throw Failure(
        "could not start the sandbox: it ended before it served", hint: "sdkctl-sandbox log")
    }
  }

  /// Tells the parent, once.
  func announce(_ announcement: Announcement) {
    Output.standard.write(announcement.json.serialized() + "\n")
    try? Output.standard.flush()
  }
}
