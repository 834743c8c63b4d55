import HTTP
import OpenSSL
import Primitives

extension MultipartBody {
  /// A boundary that no part contains.
  package static func boundary() throws(SDKError) -> String {
    try attempt("could not make a boundary") {
      "----" + Hex.encode(try Random.bytes(16))
    }
  }
}
