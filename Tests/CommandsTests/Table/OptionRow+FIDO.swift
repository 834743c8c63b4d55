extension OptionRow {
  /// Operations with FIDO keys, and what else takes a passcode.
  static let fido: [OptionRow] =
    [
      "fido register", "fido metadata", "fido login", "fido deregister", "fido passcode",
    ].map { path in
      OptionRow(
        path: path, long: "aaid", value: ("F1D0#1001", "AAID"), field: "aaid",
        result: "F1D0#1001", bad: ("F1D0", "expected VVVV#MMMM"))
    }
    + dispatchTargets
    + ["fido register", "profile seal"].flatMap { path in
      ["user", "implicit", "anonymous"].map { slot in
        OptionRow(
          path: path, long: slot, field: "slot", result: slot, twice: slot,
          isDefaultValue: slot == "user")
      }
    }
    + [
      OptionRow(
        path: "fido register", long: "verification", field: "verification", result: "true",
        negated: "false", twice: "true"),
      OptionRow(
        path: "fido metadata", long: "certificate", field: "certificate", result: "true",
        twice: "true"),
      OptionRow(
        path: "fido deregister", long: "local", field: "local", result: "true", twice: "true"),
      OptionRow(
        path: "fido deregister", long: "yes", short: "y", field: "yes", result: "true",
        twice: "true"),
    ]
    + ["fido passcode", "profile passcode"].map { path in
      OptionRow(
        path: path, long: "new-passcode-file", value: ("f", "FILE"), field: "newPasscodeFile",
        result: "f")
    }

  private static let dispatchTargets: [OptionRow] =
    ["target", "dispatcher"].map { name in
      OptionRow(
        path: "fido target add", long: name,
        value: ("v", name == "target" ? "ADDRESS" : "NAME"), field: name,
        result: "v", with: ["x"])
    }
    + ["list", "add"].map { verb in
      OptionRow(
        path: "fido target \(verb)", long: "account", value: ("a", "NAME"), field: "account",
        result: "a", with: verb == "list" ? [] : ["x"])
    }
    + ["list", "remove"].map { verb in
      OptionRow(
        path: "fido target \(verb)", long: "local", field: "local", result: "true",
        twice: "true", with: verb == "list" ? [] : ["x"])
    }
    + [
      OptionRow(
        path: "fido target remove", long: "yes", short: "y", field: "yes", result: "true",
        twice: "true", with: ["x"])
    ]
}
