import HTTP

extension HTTPBody {
  /// Moves a stream back to its start; `false` if it can be read only once.
  package func rewind() -> Bool {
    switch self {
    case .none, .bytes: true
    case .stream(let source, _): source.rewind()
    }
  }

  /// Whether ``rewind()`` would succeed now, and until then.
  package var mayRewind: Bool {
    switch self {
    case .none, .bytes: true
    case .stream(let source, _): source.mayRewind
    }
  }
}
