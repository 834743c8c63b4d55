import Primitives

/// A metric with its samples, in the text format of Prometheus (version 0.0.4), for a textfile collector.
struct MetricFamily {
  let name: String
  let help: String
  var samples: [(labels: [(name: String, value: String)], value: Int64)] = []

  /// The lines; none without a sample.
  var text: String {
    guard !samples.isEmpty else { return "" }
    let lines = samples.map { sample in
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
      return "\(name){\(labels.joined(separator: ","))} \(sample.value)\n"
    }
    return "# HELP \(name) \(help)\n# TYPE \(name) gauge\n" + lines.joined()
  }

  private static func escaped(_ text: String) -> String {
    VisibleText.of(text).escaping("\\", "\"")
  }
}
