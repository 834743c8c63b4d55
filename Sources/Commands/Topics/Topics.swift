import Arguments
import SDKCore

/// The subjects of `sdkctl help` that are not commands, in the order of the manual.
let topics: [Topic] = [
  environmentTopic, exitCodesTopic, errorsTopic, profilesTopic, slotTopic, pinsTopic, batchTopic,
  sshTopic,
  formatsTopic,
  identitiesTopic,
  formTopic,
  securityTopic, curlTopic,
]

let environmentRows: [DocRow] = [
  ("SDKCTL_HOME", "The store: the directory of config/, state/ and cache/"),
  ("SDKCTL_PROFILE", "The profile, unless --profile names one"),
  ("SDKCTL_USER_ID", "The user of the profile, unless --user-id names one"),
  ("SDKCTL_TOKEN", "An access token to use instead of the user's; never refreshed"),
  ("BEARER_TOKEN", "The same, if SDKCTL_TOKEN is not set"),
  ("BEARER_TOKEN_FILE", "A file with such a token, if neither of them is set"),
  ("SDKCTL_PASSCODE_FILE", "A file with the passcode of what is sealed"),
  (
    "SDKCTL_ASKPASS",
    "A program that asks for secrets in place of the terminal: it gets the prompt, and prints the secret"
  ),
  ("SDKCTL_PROMPT", "With 'never', no command asks a person or opens a browser"),
  ("SDKCTL_ID_TOKEN", "The token of a GitLab job, for `--assertion-from gitlab`"),
  (
    "ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN, CIRCLE_OIDC_TOKEN_V2, CIRCLE_OIDC_TOKEN",
    "What GitHub Actions and CircleCI give a job, for `--assertion-from`"
  ),
  (
    "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME",
    "The directories of sdkctl/, if SDKCTL_HOME is not set"
  ),
  ("HOME", "The home directory; the user database is the fallback"),
  (
    "CURL_CA_BUNDLE, SSL_CERT_FILE",
    "Trusted authorities, if the profile has no caFile; the first one set is used"
  ),
  ("SSL_CERT_DIR", "Directory of trusted authorities with hashed names, if no file is set"),
  ("XDG_RUNTIME_DIR", "Sockets of logins that wait for a URL scheme, if SDKCTL_HOME is not set"),
  (
    "https_proxy, ALL_PROXY, NO_PROXY",
    "Proxies, as curl understands them, if the profile has none"
  ),
  ("BROWSER", "Commands that open a URL, separated by colons; %s is the URL"),
  ("NO_COLOR", "Disables colours if it has any value"),
  ("CLICOLOR_FORCE", "Colours messages although nobody sees them on a terminal, unless it is 0"),
  ("CLICOLOR", "With 0, output has no colours"),
  ("SOURCE_DATE_EPOCH", "The date of generated manual pages"),
]

let fileRows: [DocRow] =
  [
    ("~/.config/sdkctl/config.json", "The current profile, aliases and defaults of options"),
    (".sdkctl-profile", "The name of the profile for a directory and those below it"),
    (
      "/etc/sdkctl/config.json, /etc/sdkctl/profiles/NAME/",
      "Defaults and profiles of the site; only the administrator may write them"
    ),
    (
      "~/.local/state/sdkctl/pending/",
      "Sockets of logins that wait for a URL scheme, and files of `exec --token-file-as`, if XDG_RUNTIME_DIR is not set"
    ),
    ("~/.cache/sdkctl/issuers/", "Metadata of authorization servers, for one hour"),
    ("~/.cache/sdkctl/jwks/", "Public keys of servers, for as long as they allow, at most one day"),
    ("~/.cache/sdkctl/logins/", "Failed logins, which delay the next one"),
    (
      "~/.cache/sdkctl/form-logins/",
      "The last login by form: a refused password is not sent again"
    ),
    ("~/.cache/sdkctl/clients/", "The encoding of client credentials that a server accepted"),
    ("~/.cache/sdkctl/nonces/", "Nonces that servers require in the next DPoP proof"),
  ] + profileRows

private let profileRows: [DocRow] = ProfileFile.all.map { file in
  (
    name: (file.area == .config ? "~/.config" : "~/.local/state")
      + "/sdkctl/profiles/NAME/\(file.pattern)",
    summary: file.summary
      + ([.secret, .document(.secret)].contains(file.entry) ? "; mode 0600" : "")
  )
}

private let environmentTopic = Topic.environment(
  summary: "The environment variables that sdkctl reads",
  introduction: """
    An option has precedence over a variable, a variable over a setting of the profile, and a \
    setting over the default.

    Every option can also be set in `config.json` ({config set}), by command, and for all commands under `*`: \
    `"defaults": {"fetch": {"interactive": true}, "*": {"timeout": 30}}`. A switch is true or \
    false, and an option that may be given more than once can have an array. The option \
    itself has precedence, then your file, and the file of the site \
    (`/etc/sdkctl/config.json`). A default that cannot be used with a given option does not apply. \
    `--profile` cannot be set: `current` is for that. An \
    unknown command or option is an error (exit 3).
    """, environmentRows)

private let exitCodesTopic = Topic.exitCodes(
  summary: "What each exit status means",
  introduction: "Each exit status calls for a different reaction of a script.", ExitCode.rows)

private let formatsTopic = Topic(
  name: "formats", summary: "Output for people and for programs",
  text: """
    Data goes to standard output, messages go to standard error, and prompts go to the terminal. \
    Messages for people can change; the following formats are stable.

    With `--json`, commands print the members that their manual page describes. An error is one \
    object on standard error; see {errors}. A warning is one object on standard error \
    too, on a line of its own: `warning` with `message`, and `details` and `hint` if there are any. \
    Times are ISO 8601 in UTC.

    `--field NAME` prints one value of that JSON instead, raw and on a line of its own, for shells \
    without a JSON parser: `sdkctl token --field expires`. Dots lead into objects and arrays \
    (`state.user.expires`, `keys.0.pin`), `access_token` also means `accessToken`, and null is an \
    empty line. If the output is an array or several documents, there is one line for each. The \
    exit status is 1 if a document does not have the field. Errors are text.

    A file of tokens or keys can have any usual form. Commands that read tokens accept a JWS \
    or a JWE in compact form, with or without quotes or the word Bearer, one in JSON with one \
    signature or recipient and a protected header, and a whole token response. Lines of a log \
    without a token are skipped. The commands token decode and token verify read many tokens, and \
    print a line for each, in the same order. Keys are JWK, JWK Set, PEM or DER, of keys and \
    certificates.

    On a terminal, JSON is indented; otherwise it is one line. Bodies of responses are written \
    unchanged, except that control characters are removed on a terminal.
    """)

private let securityTopic = Topic(
  name: "security", summary: "How tokens and secrets are protected",
  text: """
    Secrets are never option values: they are read from standard input, from the terminal, or \
    from files that nobody else can read. They are not printed, logged or included in error \
    messages. Only {token}, {exec} and {credential} hand out tokens; {proxy} sends requests for whoever has its \
    address.

    Tokens are sent to the host of `resourceURL` and to the hosts in `allowedHosts`, and not to \
    another origin after a redirect. TLS verification cannot be turned off; TLS 1.2 is the \
    minimum. Plain http is allowed only for this machine, and only with `insecureLoopback`.

    Tokens are stored unencrypted in files with mode 0600. Files that others can read are \
    refused; {doctor} names them all, and `doctor --fix` protects them again. Core dumps are disabled.

    SSLKEYLOGFILE is not honoured: the keys of a connection in a file would show its tokens to \
    everybody who can read that file and the traffic. `--trace` writes the exchange without secrets.

    A client certificate is sent to the authorization server and, with a token that is bound to it, \
    to the hosts that may have the token. {login} tells how a token is bound to a key.

    A login uses PKCE and checks `state`, issuer, nonce and the ID token. The listener is bound \
    to 127.0.0.1 and ::1 before the browser opens. Only a request with the exact path, a loopback \
    `Host` and the right `state` ends the wait, with success or with an error; others are \
    rejected. Enter a device code only if you started the login yourself, never one that somebody \
    sent you.

    The browser is started with an address of the listener, which redirects to the server once. \
    If the browser reports that it was already used, somebody else opened it.

    A token is refreshed by one process under a lock, written to disk, and then used; ^C waits \
    for that. Many servers accept each refresh token once. If the response of such a server is \
    lost (a broken connection, a killed process), the client cannot know whether new tokens \
    exist. It keeps the old ones (exit 6); the access token works until it expires, and the next \
    refresh is refused (exit 4). Some servers then revoke all tokens of the login, because they \
    assume a theft. `sdkctl login` starts again; nothing else is lost.

    Signed times are checked with a tolerance of one minute. If the clock of this machine is more \
    than a minute wrong, logins fail with exit 11, and a note says that it differs from the \
    server's.

    The keys that verify ID tokens are cached for at most one day, and loaded again if a token \
    does not match them. An ID token that comes with a refresh must be about the user who logged \
    in, and so must the claims of `token userinfo`.
    """)
