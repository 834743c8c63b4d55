import JSON
import SDKCore

/// The settings of a profile in a document of their own: JSON as docs/profile.schema.json describes it.
enum PlainSettings {
  /// Keys and values as they are typed, in the order of the table of keys.
  ///
  /// - Parameters:
  ///   - members: the document.
  ///   - table: the settings that the program knows.
  /// - Returns: the settings; never none.
  /// - Throws: ``SDKError/Code/invalidRequest`` for a member or a value that cannot be used.
  static func read(
    _ members: JSONObject, _ table: SettingTable
  ) throws(SDKError) -> [(key: String, value: String)] {
    if let version = members["version"], version != 1 {
      throw AppConfiguration.failure(
        "its 'version' is not 1, the only one there is", subject: "version")
    }
    var settings: [String: String] = [:]
    for (path, value) in table.values(in: members) {
      guard let key = table.named(path) else {
        throw AppConfiguration.failure("there is no setting '\(path)'", subject: path)
      }
      do throws(SDKError) { try key.check(value) } catch {
        throw AppConfiguration.failure(error.message, subject: path)
      }
      settings[path] = key.text(of: value)
    }
    guard !settings.isEmpty else {
      throw AppConfiguration.failure("it has no setting and no key of a vendor")
    }
    return table.keys.compactMap { key in settings[key.name].map { (key.name, $0) } }
  }
}
