/// Which identity resource requests show to servers that ask for one.
public enum IdentityChoice: Sendable, Hashable {
  /// The one that is stored for the host; if there is none, one is obtained, if the profile says how.
  case automatic
  /// This one, for whatever server a request is for.
  case named(IdentityName)
  /// None, and none is obtained.
  case none
}
