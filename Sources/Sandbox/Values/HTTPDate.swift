/// A moment as the field Date writes it (RFC 9110 section 5.6.7).
enum HTTPDate {
  static func text(_ seconds: Int) -> String {
    // 2026-11-21T04:54:02Z
    let parts = ISOTime.text(seconds)
      .split { "-T:Z".contains($0) }.map(String.init)
    guard let month = Int(parts[1]) else { return "" }
    // The first day of 1970 was a Thursday.
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return "\(days[seconds / 86_400 % 7]), \(parts[2]) \(months[month - 1]) \(parts[0]) "
      + "\(parts[3]):\(parts[4]):\(parts[5]) GMT"
  }
}
