import Foundation
import Glibc
import TestSupport

@testable import POSIX

@Suite("Local sockets", .timeLimit(.minutes(10)))
struct LocalSocketTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("listen in a folder whose path is too long for a socket address")
  func deep() throws {
    let path = folder.file(String(repeating: "a-long-name/", count: 30))
    try Directory.create(path)
    let socket = try LocalSocket("name", in: path)
    #expect(try Directory.entries(path) == ["name"])
    #expect(LocalSocket.names(in: path) == ["name"])
    let status = try FileStatus.of(path + "/name")
    #expect(status.kind == .socket)
    #expect(status.mode == 0o600)
    #expect(fcntl(socket.descriptor, F_GETFD) == FD_CLOEXEC)
    if try socket.accept() != nil { Issue.record("somebody is there") }
    guard let client = try LocalSocket.connect(to: "name", in: path) else {
      throw Unmet("nobody is there")
    }
    #expect(client.send([1, 2]) == 2)
    client.finishSending()
    guard let server = try socket.accept() else { throw Unmet("nobody came") }
    #expect(server.receiveAll(limit: 2, within: .seconds(600)) == [1, 2])
  }

  @Test("read at most the limit, and wait at most the time limit")
  func limits() throws {
    let socket = try LocalSocket("name", in: folder.path)
    guard let client = try LocalSocket.connect(to: "name", in: folder.path),
      let server = try socket.accept()
    else { throw Unmet("nobody came") }
    #expect(server.receiveAll(limit: 10, within: .zero) == nil)
    #expect(client.send([1, 2, 3]) == 3)
    #expect(server.receiveAll(limit: 2, within: .seconds(600)) == nil)
  }

  @Test("are removed when their value ends")
  func gone() throws {
    do { _ = try LocalSocket("name", in: folder.path) }
    #expect(try Directory.entries(folder.path).isEmpty)
    if try LocalSocket.connect(to: "name", in: folder.path) != nil { Issue.record("still there") }
  }

  @Test("that a process left behind are removed by the next process")
  func stale() throws {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = folder.file("stale")
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(code == 0)
    close(number)
    #expect(LocalSocket.names(in: folder.path) == ["stale"])
    if try LocalSocket.connect(to: "stale", in: folder.path) != nil { Issue.record("alive") }
    #expect(LocalSocket.names(in: folder.path).isEmpty)
  }

  @Test("exchange no data with another user", .enabled(if: geteuid() == 0))
  func stranger() async throws {
    let socket = try LocalSocket("name", in: folder.path)
    for path in [folder.path, folder.file("name")] { chmod(path, 0o777) }
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      setuid(65_534)
      if geteuid() == 0 { exit(2) }
      do throws(SystemError) {
        _ = try LocalSocket.connect(to: "name", in: path)
        exit(1)
      } catch {
        if error.message != "a program of another user listens on it" { exit(3) }
      }
    }
    var entries = [Poll.Entry(socket.descriptor, .read)]
    #expect(try Poll.wait(&entries, timeout: .seconds(600)) == 1)
    if try socket.accept() != nil { Issue.record("a stranger was heard") }
  }

  @Test("are not put into a folder that is a link")
  func link() throws {
    try Directory.create(folder.file("real"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("real"))
    #expect(throws: SystemError.self) { _ = try LocalSocket("name", in: folder.file("link")) }
    #expect(try Directory.entries(folder.file("real")).isEmpty)
  }
}
