import Foundation
import Glibc
import TestSupport

@testable import POSIX

@Suite struct FileReaderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
  func aFileIsReadUpToItsLimitAndNotBeyond(size: Int) throws {
    let text = String(repeating: "x", count: size)
    let path = try folder.write(text, to: "file")
    #expect(try FileReader.read(path, limit: size) == Array(text.utf8))
    guard size > 0 else { return }
    let error = failure(of: try FileReader.read(path, limit: size - 1))
    #expect(error?.kind == .tooLarge)
    #expect(error?.message == "it is larger than \(size - 1) bytes")
    #expect(error?.path == path)
  }

  @Test func aCloseThatFailsIsToldOf() {
    #expect(failure(of: try FileDescriptor(owning: .max).close())?.code == EBADF)
  }

  @Test func aPipeIsReadToItsEnd() async throws {
    let path = folder.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    async let bytes = BackgroundThread.run { () throws(SystemError) in
      try FileReader.read(path, limit: 100)
    }
    // Each opening waits for the other: neither may hold a thread that tasks need.
    try await BackgroundThread.run { () throws(SystemError) in
      let writer = try FileDescriptor.open(path, .write)
      try writer.write(Array("through ".utf8))
      try writer.write(Array("a pipe".utf8))
      try writer.close()
    }
    #expect(try await bytes == Array("through a pipe".utf8))
  }

  @Test func aDirectoryIsNamedAsOne() throws {
    let error = failure(of: try FileReader.read(folder.path, limit: 10))
    #expect(error?.code == EISDIR)
    #expect(error?.description == "\(folder.path): is a directory")
  }

  @Test func whatIsNotThereIsNotFound() {
    let error = failure(of: try FileReader.read("/nowhere/at all", limit: 10))
    #expect(error?.isNotFound == true)
    #expect(error?.description == "/nowhere/at all: no such file or directory")
  }

  @Test func aPrivateSecretIsRead() throws {
    let path = try folder.write("secret", to: "file", mode: 0o400)
    #expect(try FileReader.readSecretDocument(path, limit: 100) == Array("secret".utf8))
  }

  @Test(arguments: [(0o640, "0640"), (0o604, "0604"), (0o620, "0620"), (0o601, "0601")])
  func aSecretThatOthersMayUseIsRefusedWithTheRemedy(mode: Int, text: String) throws {
    let path = try folder.write("secret", to: "it's mine", mode: mode)
    let error = failure(of: try FileReader.readSecretDocument(path, limit: 100))
    #expect(error?.isUnsafe == true)
    #expect(error?.message == "others may use it (mode \(text))")
    #expect(error?.protections == [FileProtection(.mode(0o600), of: [path])])
  }

  @Test func aSecretOfAnotherUserIsRefused() throws {
    let path = try folder.write("secret", to: "file")
    // Only root can give a file away; others have one of root at hand.
    let foreign = chown(path, 12345, 12345) == 0 ? path : "/etc/shadow"
    let error = failure(of: try FileReader.readSecretDocument(foreign, limit: 100))
    #expect(error?.isUnsafe == true || error?.code == EACCES)
    if foreign == path { #expect(error?.message == "belongs to user 12345") }
  }

  @Test func aLinkOrPipeInPlaceOfASecretIsRefused() throws {
    let path = try folder.write("secret", to: "file")
    symlink(path, folder.file("link"))
    mkfifo(folder.file("pipe"), 0o600)
    for (name, message) in [("link", "is a symbolic link"), ("pipe", "is not a regular file")] {
      let error = failure(of: try FileReader.readSecretDocument(folder.file(name), limit: 100))
      #expect(error?.message == message)
      #expect(error?.isUnsafe == true)
    }
  }
}
