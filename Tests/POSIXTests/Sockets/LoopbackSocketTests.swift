import Glibc
import TestSupport

@testable import POSIX

@Suite struct LoopbackSocketTests {
  @Test func aTakenPortIsRefused() throws {
    let first = try LoopbackSocket.listen(.v4)
    #expect(first.port != 0)
    #expect(fcntl(first.descriptor, F_GETFD) == FD_CLOEXEC)
    let error = failure(of: try LoopbackSocket.listen(.v4, port: first.port))
    #expect(error?.isAddressInUse == true)
  }

  @Test func aConnectionIsHeardAndAnswered() throws {
    let listener = try LoopbackSocket.listen(.v4)
    if try listener.accept() != nil { Issue.record("somebody is there") }
    let client = try connected(to: listener.port)
    var entries = [Poll.Entry(listener.descriptor, .read)]
    try Poll.wait(&entries, timeout: .seconds(600))
    guard let server = try listener.accept() else { throw Unmet("nobody came") }
    #expect(fcntl(server.number, F_GETFD) == FD_CLOEXEC)
    #expect(SocketEnd(.remote, of: client.number)?.port == Int(listener.port))
    #expect(SocketEnd(.remote, of: client.number) == SocketEnd(.local, of: server.number))
    #expect(SocketEnd(.local, of: client.number) == SocketEnd(.remote, of: server.number))
    #expect(SocketEnd(.remote, of: server.number)?.address.description == "127.0.0.1")
    #expect(SocketEnd(.remote, of: listener.descriptor) == nil)
    #expect(server.receive(upTo: 10) == .nothingYet)
    #expect(client.send([1, 2, 3]) == 3)
    entries = [Poll.Entry(server.number, .read)]
    try Poll.wait(&entries, timeout: .seconds(600))
    #expect(server.receive(upTo: 10) == .bytes([1, 2, 3]))
    client.finishSending()
    try Poll.wait(&entries, timeout: .seconds(600))
    #expect(server.receive(upTo: 10) == .end)
    #expect(server.send([4]) == 1)
    #expect(try client.read(upTo: 10) == [4])
  }

  @Test func sendingToNobodyIsToldAndNotASignal() throws {
    let listener = try LoopbackSocket.listen(.v4)
    let client = try connected(to: listener.port)
    guard let server = try listener.accept() else { throw Unmet("nobody came") }
    // Nothing is read: what does not fit is not sent, which is no end.
    var sent: Int? = 1
    while sent ?? 0 > 0 { sent = server.send([UInt8](repeating: 0, count: 1 << 16)[...]) }
    #expect(sent == 0)
    _ = consume client
    while let sent = server.send([1]) { _ = sent }
  }

  private func connected(to port: UInt16) throws -> FileDescriptor {
    FileDescriptor(owning: try #require(LoopbackClient.connect(to: port)))
  }
}
