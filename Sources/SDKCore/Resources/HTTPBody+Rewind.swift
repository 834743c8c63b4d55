import HTTP

extension HTTPBody {
  /// Makes the body stand at its start; `false` when it can be read only once.
  package func rewind() -> Bool {
    switch self {
    case .none, .bytes: true
    case .stream(let source, _): source.rewind()
    }
  }
}
