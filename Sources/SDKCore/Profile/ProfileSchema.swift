public import JSON

/// The JSON Schema of the settings of a profile, made of the table of keys.
public enum ProfileSchema {
  /// The document (JSON Schema, draft 2020-12).
  public static var document: JSON {
    var properties: JSONObject = [
      "$schema": ["type": "string"],
      "version": ["const": 1, "description": "The version of the document"],
    ]
    var groups: [String: JSONObject] = [:]
    for key in ProfileKey.all {
      var schema = key.schema
      schema["description"] = .string(key.summary)
      let path = key.name.split(separator: ".", maxSplits: 1).map(String.init)
      if path.count == 1 {
        properties[key.name] = .object(schema)
      } else {
        groups[path[0], default: [:]][path[1]] = .object(schema)
      }
    }
    for (name, members) in groups { properties[name] = object(members) }
    var document = object(properties)
    document["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    document["title"] = "Settings of a profile"
    return document
  }

  private static func object(_ properties: JSONObject) -> JSON {
    ["type": "object", "properties": .object(properties), "additionalProperties": false]
  }
}
