import POSIX
import Primitives

/// The path that the body is written to, or standard output.
struct OutputPath: Sendable, Hashable {
  /// The path of the file; `nil` for standard output.
  var path: String?
  /// Whether a file that exists is replaced.
  var replaces = true
  /// Whether `-o -` was given: then binary data is written to a terminal too.
  var isForced = false

  /// Reads `--output` and the options that go with it.
  init(_ arguments: Fetch.Arguments) throws {
    let name =
      arguments.remoteName ? try Self.remoteName(arguments.target) : arguments.output
    guard let name, name != "-" else {
      isForced = name != nil
      return
    }
    var path = name
    if let directory = arguments.outputDirectory, !directory.isEmpty {
      path = directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }
    if !arguments.clobber { try Self.requireNone(path) }
    self.path = path
    replaces = arguments.clobber
  }

  /// The last segment of the URL's path, as curl takes it.
  static func remoteName(_ target: String) throws -> String {
    let path = target.prefix { $0 != "?" && $0 != "#" }
    // Of an absolute URL the first three segments are the scheme, nothing and the host.
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
      .dropFirst(path.containsText("://") ? 3 : 0)
    let name = segments.last.map(String.init) ?? ""
    guard !["", ".", ".."].contains(name), !name.utf8.contains(0) else {
      throw Failure.usage("could not name the file: the URL's path ends without a name")
    }
    return name
  }

  /// Refuses a file that exists; a pipe or a device is written to.
  private static func requireNone(_ path: String) throws {
    guard FileStatus.exists(path) else { return }
    if let status = try? FileStatus.of(path), [.pipe, .device, .socket].contains(status.kind) {
      return
    }
    throw Failure(.outputFailed, "could not write the file \(path): it exists already")
  }
}
