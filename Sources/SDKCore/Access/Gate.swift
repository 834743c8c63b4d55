import HTTP
import Synchronization

/// Lets only the final response of a request through to its sink.
final class Gate: HTTPBodySink {
  private let sink: any HTTPBodySink
  private let holdsBack401: Bool
  private let isOpen = Atomic(false)

  init(_ sink: any HTTPBodySink, holdsBack401: Bool) {
    self.sink = sink
    self.holdsBack401 = holdsBack401
  }

  func begin(_ response: HTTPResponse) -> Bool {
    let isFinal = !Redirects.isRedirect(response) && !(holdsBack401 && response.status == 401)
    isOpen.store(isFinal, ordering: .relaxed)
    return isFinal ? sink.begin(response) : true
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    isOpen.load(ordering: .relaxed) ? sink.write(bytes) : true
  }
}
