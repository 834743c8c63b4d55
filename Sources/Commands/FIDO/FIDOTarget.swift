import Arguments
import FIDO
import JSON
import SDKCore

/// A dispatch target, as it is printed.
struct FIDOTargetReport {
  let target: DispatchTarget
  let profile: ProfileName

  static let rows = Rows<FIDOTargetReport>(
    .member("profile", "the profile") { $0.profile.description },
    .column("id", "ID", "the identifier") { $0.target.id },
    .column("name", "NAME", "the name") { $0.target.name },
    .column("dispatcher", "DISPATCHER", "the dispatcher of the server") { $0.target.dispatcher },
    .member("target", "the address for the dispatcher") { $0.target.target },
    .member("externalID", "its identifier at the dispatcher") { $0.target.externalID },
    .member("deviceID", "the device") { $0.target.deviceID },
    .column("here", "KEYS", "whether its keys are here") { $0.target.hasKeys })
}

extension Option {
  /// `--target`.
  static func target(_ path: any Path<String?>) -> Self {
    .value("target", "ADDRESS", path, "Send tokens to this address of the dispatcher")
  }

  /// `--dispatcher`.
  static func dispatcher(_ path: any Path<String?>) -> Self {
    .value("dispatcher", "NAME", path, "Send tokens by this dispatcher of the server")
  }

  /// `--account`.
  static func account(_ path: any Path<String?>) -> Self {
    .value("account", "NAME", path, "The user at the server; fido.user without it")
  }
}
