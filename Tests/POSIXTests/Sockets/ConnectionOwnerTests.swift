import Glibc
import TestSupport

@testable import POSIX

@Suite("The owner of a connection", .timeLimit(.minutes(5)))
struct ConnectionOwnerTests {
  static let table4 = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 71 1 0 100 0 0 10 0
       1: 0100007F:1F90 0100007F:0050 01 00000000:00000000 00:00000000 00000000  1000        0 72 1 0 20 4 30 10 -1
       2: 0100007F:0050 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 73 1 0 20 4 30 10 -1
       3: 0100007F:0051 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1
       4: 0500007F:0052 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1002        0 75 1 0 20 4 30 10 -1
       5: 0100007F:0054 0100007F:1F90 01 00000000:00000000

    """
  static let table6 = """
      sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when
       0: 0000000000000000FFFF00000100007F:0053 0000000000000000FFFF00000100007F:1F90 01 0:0 00:0 0 1003 0 76 1

    """

  @Test(
    "is read from the kernel's tables",
    arguments: [
      ("127.0.0.1", 80, 1001), ("127.0.0.1", 81, nil), ("127.0.0.5", 82, 1002),
      ("127.0.0.1", 82, nil),
      ("127.0.0.1", 83, 1003), ("127.0.0.1", 8080, nil),
      ("127.0.0.1", 84, nil),
    ] as [(String, Int, UInt32?)])
  func read(address: String, port: Int, owner: UInt32?) throws {
    let client = SocketEnd(try #require(IPAddress(address)), port: port)
    let server = SocketEnd(try #require(IPAddress("127.0.0.1")), port: 8080)
    let found = [Self.table4, Self.table6].compactMap {
      ConnectionOwner.user(of: client, connectedTo: server, in: Array($0.utf8))
    }
    #expect(found == [owner].compactMap { $0 })
  }

  @Test("is this user for a client of this process, and nobody once it has closed")
  func own() throws {
    let listener = try LoopbackSocket.listen(.v4)
    let client = try #require(LoopbackClient.connect(to: listener.port))
    guard let connection = try listener.accept() else { throw Unmet("nobody came") }
    let (ownEnd, otherEnd) = (
      SocketEnd(.local, of: connection.number), SocketEnd(.remote, of: connection.number)
    )
    let (near, far) = (try #require(ownEnd), try #require(otherEnd))
    #expect(ConnectionOwner.isThisUser(far, connectedTo: near))
    let table = try FileReader.read("/proc/net/tcp", limit: 64 << 20)
    #expect(ConnectionOwner.user(of: far, connectedTo: near, in: table) == geteuid())
    #expect(!ConnectionOwner.isThisUser(near, connectedTo: SocketEnd(near.address, port: 1)))
    // An address of IPv6 that begins as this one of IPv4.
    let wide = try #require(IPAddress("7f00:1::"))
    #expect(!ConnectionOwner.isThisUser(SocketEnd(wide, port: far.port), connectedTo: near))
    #expect(!ConnectionOwner.isThisUser(far, connectedTo: SocketEnd(wide, port: near.port)))
    close(client)
    // A program that another test starts has the socket too until it runs: its end shows that nobody has it.
    var end = pollfd(fd: connection.number, events: Int16(POLLIN), revents: 0)
    #expect(poll(&end, 1, 60_000) == 1)
    #expect(!ConnectionOwner.isThisUser(far, connectedTo: near))
  }
}
