import HTTP

/// The request that a proof of possession is for, as it is typed: `METHOD URL`.
struct ProofTarget: Sendable, Hashable {
  let method: HTTPMethod
  let url: HTTPURL

  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, let method = HTTPMethod(inAnyCase: String(words[0])),
      let url = try? HTTPURL(String(words[1]))
    else { return nil }
    self.method = method
    self.url = url
  }
}
