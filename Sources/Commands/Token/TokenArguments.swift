import Arguments
import JOSE
import Primitives

extension JWSAlgorithm: ArgumentValue {
  /// Reads the name of a signature algorithm, as tokens write it.
  static func reading(_ text: String) throws(ValueError) -> JWSAlgorithm {
    guard let algorithm = JWSAlgorithm(identifier: text) else {
      let near = allCases.map(\.rawValue).first { $0.equalsIgnoringCase(text) }
      throw ValueError(
        "not a signature algorithm such as ES256" + (near.map { "; did you mean '\($0)'?" } ?? ""))
    }
    return algorithm
  }
}

extension Option {
  /// A time in place of the present one.
  static func time(_ long: String, _ path: any Path<Timestamp?>, _ summary: String) -> Self {
    .value(long, "TIME", path, summary) { (text) throws(ValueError) in
      guard let time = Timestamp(text) ?? Int64(text).map({ Timestamp($0) }) else {
        throw ValueError("not a time such as 2027-01-31T08:00:00Z")
      }
      return time
    }
  }
}
