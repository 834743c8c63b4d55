package import JSON

extension JSON {
  /// The fields of a form or a query with this value, as the vendors' SDKs write it: `a[]=1` for each
  /// element of an array, `m[k]=v` for each member of an object, and so on inside of them.
  ///
  /// An empty array or object has no field.
  package func formFields(named name: String) -> [(name: String, value: String)] {
    if let elements = array { return elements.flatMap { $0.formFields(named: name + "[]") } }
    if let members = object {
      return members.sorted.flatMap { $1.formFields(named: "\(name)[\($0)]") }
    }
    return [(name, string ?? serialized())]
  }
}
