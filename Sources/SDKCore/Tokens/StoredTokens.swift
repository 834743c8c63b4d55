import POSIX

/// What the file of a slot holds, for a list of all tokens of a machine.
public struct StoredTokens: Sendable, Hashable {
  /// The slot.
  public let slot: CredentialSlot
  /// The file.
  public let file: String
  /// What it holds; `nil` if the file cannot be used.
  public let provider: AuthorizationProvider?
  /// Why the file cannot be used.
  public let error: SDKError?

  /// The tokens; `nil` for cookies, and if the file cannot be used.
  public var tokens: TokenSet? { provider?.tokens }
}

extension TokenService {
  /// What is stored in the slots of the profile, without those that are empty.
  ///
  /// Uses no network, and does not look at a token from outside the store.
  public func inventory() -> [StoredTokens] {
    CredentialSlot.allCases.compactMap { slot in
      let file = slots.file(slot)
      do throws(SDKError) {
        return try file.read().provider.map {
          StoredTokens(slot: slot, file: file.path.text, provider: $0, error: nil)
        }
      } catch {
        return StoredTokens(slot: slot, file: file.path.text, provider: nil, error: error)
      }
    }
  }
}
