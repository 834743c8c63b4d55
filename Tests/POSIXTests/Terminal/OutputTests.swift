import Foundation
import Glibc
import TestSupport

@testable import POSIX

@Suite struct OutputTests {
  @Test func piecesArriveInTheirOrder() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "file")
    let file = try FileDescriptor.open(path, .write)
    let output = Output(descriptor: file.number, capacity: 8)
    output.write("one ")
    output.write(Array("two ".utf8))
    try "three, larger than the buffer, ".utf8.withContiguous { try output.writeRaw($0) }
    try "4 ".utf8.withContiguous { try output.writeRaw($0) }
    output.write("five")
    #expect(try folder.text(of: "file") == "one two three, larger than the buffer, 4 ")
    try output.flush()
    #expect(try folder.text(of: "file") == "one two three, larger than the buffer, 4 five")
    #expect(output.failure == nil)
  }

  @Test func aNoteBeginsOnALineOfItsOwn() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "terminal")
    let file = try FileDescriptor.open(path, .write)
    let output = Output(descriptor: file.number)
    let notes = Output(descriptor: output.descriptor, capacity: 0).ending(linesOf: output)
    notes.write("a\n")
    try "{}".utf8.withContiguous { try output.writeRaw($0) }
    #expect(output.isLineOpen)
    notes.write("b\n")
    output.write("c")
    notes.write("d\n")
    #expect(!output.isLineOpen)
    #expect(try folder.text(of: "terminal") == "a\n{}\nb\nc\nd\n")
  }

  @Test func aFullDeviceIsNoticedAtTheFlushAndStaysNoticed() throws {
    let full = try FileDescriptor.open("/dev/full", .write)
    let output = Output(descriptor: full.number)
    output.write("lost")
    #expect(output.failure == nil)
    for _ in 0..<2 {
      let error = failure(of: try output.flush())
      #expect(error?.code == ENOSPC)
      #expect(error?.message == "no space left on device")
    }
    #expect(output.failure?.code == ENOSPC)
    #expect(throws: SystemError.self) { try "x".utf8.withContiguous { try output.writeRaw($0) } }
    let folder = try TemporaryFolder()
    let file = try FileDescriptor.open(try folder.write("", to: "file"), .write)
    dup2(file.number, full.number)
    output.write("late")
    #expect(failure(of: try output.flush())?.code == ENOSPC)
    #expect(try folder.text(of: "file").isEmpty)
  }

  @Test func standardErrorIsNotHeldBack() throws {
    let full = try FileDescriptor.open("/dev/full", .write)
    let output = Output(descriptor: full.number, capacity: 0)
    output.write("lost")
    #expect(output.failure?.code == ENOSPC)
    #expect(Output.errors.descriptor == 2)
    #expect(Output.standard.descriptor == 1)
  }

  @Test func aReaderThatLeftIsABrokenPipe() async {
    await #expect(processExitsWith: .exitCode(42)) {
      ProcessSetup.prepare()
      let (reader, writer) = try FileDescriptor.pipe()
      close(reader)
      let output = Output(descriptor: writer)
      output.write("unread")
      let error = failure(of: try output.flush())
      _exit(error?.isBrokenPipe == true ? 42 : 1)
    }
  }

  @Test func aSlowReaderOfANonBlockingPipeGetsEverything() async throws {
    let (reader, writer) = try FileDescriptor.pipe()
    _ = fcntl(writer, F_SETFL, O_NONBLOCK)
    let size = 1_000_000
    async let sent: Void = BackgroundThread.run { () throws(SystemError) in
      let output = Output(descriptor: writer)
      output.write([UInt8](repeating: 7, count: size))
      try output.flush()
      close(writer)
    }
    let input = FileDescriptor(owning: reader)
    let bytes = try await BackgroundThread.run { () throws(SystemError) in
      var count = 0
      while count < size { count += try FileDescriptor(owning: dup(reader)).read(upTo: 4096).count }
      return count
    }
    try await sent
    #expect(bytes == size)
    #expect(try input.read(upTo: 1).isEmpty)
  }
}

extension String.UTF8View {
  fileprivate func withContiguous(
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    try Array(self).withUnsafeBytes { try body($0) }
  }
}
