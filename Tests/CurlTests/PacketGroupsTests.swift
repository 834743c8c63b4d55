import CCurl
import Glibc
import POSIX
import Testing

@testable import Curl

@Suite("Requests that leave in one packet")
struct PacketGroupsTests {
  /// A TCP socket, closed at the end.
  private final class Socket {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var isHeld: Bool { PacketHold.isSet(of: number) }
    deinit { close(number) }
  }

  @Test(
    "hold the requests of a connection, and never longer than a call of libcurl")
  func holds() {
    let groups = PacketGroups()
    let socket = Socket()
    groups.noteOpened(socket.number)
    groups.begin(transfers: 50)
    for _ in 1...20 {
      groups.noteRequest()
      #expect(socket.isHeld)
    }
    groups.end()
    #expect(!socket.isHeld)
    groups.noteRequest()
    #expect(!socket.isHeld)
  }

  @Test("hold nothing unless four transfers share a connection")
  func shares() {
    let groups = PacketGroups()
    groups.begin(transfers: 50)
    groups.end()
    let sockets = [Socket(), Socket()]
    for socket in sockets { groups.noteOpened(socket.number) }
    groups.begin(transfers: 7)
    #expect(sockets.map(\.isHeld) == [false, false])
    groups.end()
    groups.begin(transfers: 8)
    #expect(sockets.map(\.isHeld) == [true, true])
    groups.end()
    groups.noteClosed(sockets[1].number)
    groups.begin(transfers: 7)
    #expect(sockets.map(\.isHeld) == [true, false])
    groups.end()
  }
}
