extension OptionRow {
  /// Operations with FIDO keys, and what else takes a passcode.
  static let fido: [OptionRow] =
    [
      "register fido", "register fido-metadata", "login fido", "deregister fido",
      "profile passcode",
    ].map { path in
      OptionRow(
        path: path, long: "aaid", value: ("F1D0#1001", "AAID"), field: "aaid",
        result: "F1D0#1001", bad: ("F1D0", "expected VVVV#MMMM"))
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
        path: "profile passcode", long: "fido", field: "fido", result: "true", twice: "true"),
      OptionRow(
        path: "profile passcode", long: "new-passcode-file", value: ("f", "FILE"),
        field: "newPasscodeFile", result: "f"),
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
