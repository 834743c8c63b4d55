import Arguments
import SDKCore

/// The topic `profiles`: what a profile is, and its settings by heading.
let profilesTopic = Topic(
  name: "profiles", summary: "What a profile is, and its settings",
  text: """
    A profile is everything about one application at one provider, by name: where the servers \
    are, which client this is, and which keys its hosts must have. `sdkctl profile add` creates \
    one, and `sdkctl profile set` changes it. The files of a profile contain no secrets: you can \
    commit and share them. Credentials are stored elsewhere, and only you can read them.

    {profile import} makes a profile of the configuration of an app, {profile export} writes one to share or to \
    move, and {doctor} checks the settings. `docs/profile.schema.json` is their JSON Schema.

    Commands use the profile of `--profile`, else of SDKCTL_PROFILE, else the one that the file \
    `.sdkctl-profile` of the directory names, else the current one, which `sdkctl profile use` \
    selects. `sdkctl status` says which one and why. Instead of the name you can give the URL of \
    the issuer, if only one profile has it.

    # A profile for a directory

    The file `.sdkctl-profile` has one line, the name of a profile. It is searched in the working \
    directory and in those above it, up to the home directory or the root. A file of another user \
    is ignored with a note. Your own must not be a symbolic link, and neither the file nor its \
    directories may be writable for others.

    # Several users in one profile

    A profile can have several users, each with tokens, cookies, a DPoP key and a passcode of their own: \
    `sdkctl login --user-id bob` logs one in. Commands use the slots of `--user-id`, else of \
    SDKCTL_USER_ID, else of the current user: that is the one who logged in first, or whom \
    `sdkctl user use ID` chose. The user for whom no ID was ever given is `default`. The \
    registration, the pins, the identities and the FIDO keys belong to the profile, not to a user. \
    {user list} lists the users, and {user remove} removes one.

    # Profiles and defaults of the site

    The administrator can put profiles into `/etc/sdkctl/profiles/NAME/` and a current profile, \
    aliases and defaults into `/etc/sdkctl/config.json`. They have the form of your own files, \
    which have precedence. Profiles of the site cannot be changed; `sdkctl profile copy NAME NEW` \
    makes one that can.

    # Settings

    {sdkctl-profile(5)} also has an example of each.


    """
      + SettingTable.ofProgram.sections.map(\.prose).joined(separator: "\n\n"))

extension ProfileKeySection {
  fileprivate var prose: String {
    "# \(title)\n\n"
      + keys.map { key in
        let standard = key.defaultText.map { "; default \($0)" } ?? ""
        return "* `\(key.name)`: \(key.summary) (\(key.expected)\(standard))."
      }.joined(separator: "\n")
  }
}

/// The page `sdkctl-profile(5)`: every file of the store, and every key of its configuration.
let profileFormat: FormatPage = (
  topic: Topic(
    name: "profile", summary: "The files of sdkctl, and the settings of profiles",
    text: """
      Files whose names end in `.json` are documents: JSON in UTF-8 with sorted keys and the member \
      `version`, which is 2 if only you can read the document, else 1. A document of a newer version \
      is refused, and one that only you can read of version 1 too. Members that this version does not \
      know stay when a document is written. Keys (`.key`), certificate requests (`.csr`) and \
      `client.pem` are PEM, and locks (`.lock`) are empty.

      A document is replaced as a whole: a process that is killed leaves the old document or the \
      new one. Files with secrets have mode 0600 in directories with mode 0700; if others can use \
      them, they are refused.

      A setting of a profile is a member of `profile.json`. A dot in its name leads to a member of an \
      object: `form.user` is the member `user` of the object `form`. `sdkctl profile set KEY=VALUE` \
      takes values in the form of the examples; in the document, flags and numbers are JSON values, \
      and hosts are an array.
      """),
  sections: [
    (
      title: "config.json",
      rows: [
        FormatRow(
          key: "current", summary: "The profile that commands use if none is chosen otherwise",
          type: "the name of a profile", example: "work"
        ),
        FormatRow(
          key: "alias", summary: "Command lines by name; a command cannot be replaced",
          type: "an object of texts", example: #"{"me": "fetch --user /me"}"#
        ),
        FormatRow(
          key: "defaults",
          summary: "Options that apply if they are not given, by command; '*' has those of all",
          type: "an object of objects",
          example: #"{"fetch": {"interactive": true}, "*": {"color": "never"}}"#
        ),
      ]
    ),
    (
      title: "pins.json",
      rows: [
        FormatRow(
          key: "hosts", summary: "The pins of each host; `sdkctl pin add` changes them",
          type: "an object of objects, as in `sdkctl pin list --json`",
          example: #"{"api.example.com": {"keys": [{"pin": "sha256/AAAA...", "role": "leaf"}]}}"#
        ),
        FormatRow(
          key: "proxies", summary: "The pins of HTTPS proxies",
          type: "an object like `hosts`", example: "{}"
        ),
      ]
    ),
  ]
    + SettingTable.ofProgram.sections.map { section in
      (
        title: section.title,
        rows: section.keys.map { key in
          FormatRow(
            key: key.name, summary: key.summary, type: key.expected,
            defaultText: key.defaultText, example: key.example
          )
        }
      )
    }
)
