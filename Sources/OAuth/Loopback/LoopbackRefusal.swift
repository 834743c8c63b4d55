import Primitives

/// Why the listener refused a request that is most likely the response that is waited for.
package enum LoopbackRefusal: Sendable, Hashable {
  /// Its header fields are too long: browsers send the cookies of all programs of this machine.
  case longFields
  /// Its first line is too long.
  case longAddress
  /// Its form is too long.
  case longForm
  /// It is for another host than this one.
  case otherHost(String)

  /// The cause, for people: what the request is or has.
  package var cause: String {
    switch self {
    case .longFields: "its header fields are longer than \(LoopbackHead.limit >> 10) KiB"
    case .longAddress: "its address is longer than \(LoopbackHead.limit >> 10) KiB"
    case .longForm: "its form is longer than \(LoopbackRoutes.longestBody >> 10) KiB"
    case .otherHost(let name): "it is for the host \(VisibleText.quoted(name)), not for 127.0.0.1"
    }
  }

  /// What a person can do in the browser; `nil` if nothing is known to help.
  package var advice: String? {
    switch self {
    case .longFields:
      "delete the cookies of 127.0.0.1 and localhost in the browser and load the page again, or use a private "
        + "window"
    case .otherHost:
      "use no proxy for 127.0.0.1 in the browser, or replace the host in the address of the page by 127.0.0.1"
    case .longAddress, .longForm: nil
    }
  }

  /// Whether it is of the same kind, so that a person need not be told again.
  func isLike(_ other: LoopbackRefusal) -> Bool {
    if case .otherHost = self, case .otherHost = other { return true }
    return self == other
  }

  var reply: LoopbackReply {
    switch self {
    case .longFields: LoopbackReply(431, .refused("The request is too long", self))
    case .longAddress: LoopbackReply(414, .refused("The address is too long", self))
    case .longForm: LoopbackReply(413, .refused("The form is too long", self))
    case .otherHost: LoopbackReply(400, .refused("This is not a request for this address", self))
    }
  }
}
