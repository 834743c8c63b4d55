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
    #expect(failure(of: try PartialFile(path))?.code == EWOULDBLOCK)
    try part.restart()
    #expect(try folder.text(of: "file") == "whole")
    #expect(try folder.text(of: "file.part") == "")
    mkdir(path + ".part.state", 0o700)
    #expect(failure(of: try part.setNote(nil))?.code == EISDIR)
    mkfifo(folder.file("pipe.part"), 0o600)
    #expect(failure(of: try PartialFile(folder.file("pipe")))?.code == EINVAL)
  }
}
