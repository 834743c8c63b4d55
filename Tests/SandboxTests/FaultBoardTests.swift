import Testing

@testable import Sandbox

@Suite("The fault board strikes where and as often as it was told")
struct FaultBoardTests {
  @Test("a fault for one endpoint spares the others, and a fault of one place the other places")
  func keepsToItsPlace() {
    var board = FaultBoard()
    board.arm(.html, times: 1, on: .token)
    board.arm(.expired, times: 1)
    #expect(board.take(.answer, at: .jwks) == nil)
    #expect(board.take(.connection, at: nil) == nil)
    #expect(board.take(.idToken, at: .token) == .expired)
    #expect(board.take(.answer, at: .token) == .html)
  }

  @Test("arming again replaces what was armed for the same endpoint")
  func replaces() {
    var board = FaultBoard()
    board.arm(.html, times: 5)
    board.arm(.html, times: 1)
    board.arm(.html, times: 7, on: .token)
    #expect(board.armed.map(\.remaining) == [1, 7])
  }
}
