extension OptionRow {
  /// Operations with FIDO keys, and what else takes a PIN.
  static let fido: [OptionRow] =
    [
      "register fido", "register fido-metadata", "login fido", "deregister fido",
      "profile change-pin",
    ].map { path in
      OptionRow(
        path: path, long: "aaid", value: ("F1D0#1001", "AAID"), field: "aaid",
        result: "F1D0#1001", bad: ("F1D0", "expected VVVV#MMMM"))
    }
    + ["register fido", "login fido", "profile seal", "profile unseal"].flatMap { path in
      [
        OptionRow(
          path: path, long: "pin-file", value: ("f", "FILE"), field: "pinFile", result: "f")
      ]
    }
    + dispatchTargets
    + ["register fido", "profile seal"].flatMap { path in
      ["user", "implicit", "anonymous"].map { slot in
        OptionRow(
          path: path, long: slot, field: "slot", result: slot, twice: slot,
          isDefaultValue: slot == "user")
      }
    }
    + [
      OptionRow(
        path: "register fido", long: "verification", field: "verification", result: "true",
        negated: "false", twice: "true"),
      OptionRow(
        path: "register fido-metadata", long: "certificate", field: "certificate", result: "true",
        twice: "true"),
      OptionRow(
        path: "deregister fido", long: "local", field: "local", result: "true", twice: "true"),
      OptionRow(
        path: "deregister fido", long: "yes", short: "y", field: "yes", result: "true",
        twice: "true"),
      OptionRow(
        path: "profile change-pin", long: "fido", field: "fido", result: "true", twice: "true"),
      OptionRow(
        path: "profile change-pin", long: "pin-file", value: ("f", "FILE"), field: "pinFile",
        result: "f"),
      OptionRow(
        path: "profile change-pin", long: "new-pin-file", value: ("f", "FILE"),
        field: "newPINFile", result: "f"),
    ]

  private static let dispatchTargets: [OptionRow] =
    ["target", "dispatcher"].map { name in
      OptionRow(
        path: "dispatch-target create", long: name,
        value: ("v", name == "target" ? "ADDRESS" : "NAME"), field: name,
        result: "v", with: ["x"])
    }
    + ["list", "create"].map { verb in
      OptionRow(
        path: "dispatch-target \(verb)", long: "account", value: ("a", "NAME"), field: "account",
        result: "a", with: verb == "list" ? [] : ["x"])
    }
    + ["list", "delete"].map { verb in
      OptionRow(
        path: "dispatch-target \(verb)", long: "local", field: "local", result: "true",
        twice: "true", with: verb == "list" ? [] : ["x"])
    }
    + [
      OptionRow(
        path: "dispatch-target delete", long: "yes", short: "y", field: "yes", result: "true",
        twice: "true", with: ["x"])
    ]
}
