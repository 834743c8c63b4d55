import Glibc
import TestSupport

@testable import POSIX

@Suite struct PartialFileTests {
  @Test func aPartThatWasPutInItsPlaceBeforeItWasLockedIsMadeAnew() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("file")
    try folder.write("whole", to: "file.part")
    var isFirst = true
    let part = try PartialFile(path) {
      if isFirst { rename(path + ".part", path) }
      isFirst = false
    }
    #expect(part.size == 0)
    try part.restart()
    #expect(try folder.text(of: "file") == "whole")
    #expect(try folder.text(of: "file.part") == "")
  }
}
