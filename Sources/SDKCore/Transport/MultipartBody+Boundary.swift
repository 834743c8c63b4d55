import HTTP
import OpenSSL
import Primitives

extension MultipartBody {
  /// A boundary that no part contains.
  static func boundary() throws(SDKError) -> String {
    do {
      return "----" + Hex.encode(try Random.bytes(16))
    } catch {
      throw SDKError(.unavailable, "could not make a boundary: \(error)")
    }
  }
}
