import Arguments
import SDKCore

/// The subjects of `sdkctl help` that are no commands, in the order of the manual.
let topics: [Topic] = [
  environmentTopic, exitCodesTopic, profilesTopic, pinsTopic, sshTopic, formatsTopic,
  securityTopic,
]

/// What is read from the environment.
let environmentRows: [EnvironmentRow] = [
  EnvironmentRow(
    name: "SDKCTL_HOME", summary: "The store: config/, state/ and cache/ lie under it"),
  EnvironmentRow(name: "SDKCTL_PROFILE", summary: "The profile, unless --profile names one"),
  EnvironmentRow(
    name: "SDKCTL_TOKEN", summary: "An access token that stands for the user's; never refreshed"),
  EnvironmentRow(
    name: "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME",
    summary: "Where sdkctl/ lies without SDKCTL_HOME"),
  EnvironmentRow(
    name: "HOME", summary: "The home directory, else that of the user database"),
  EnvironmentRow(
    name: "CURL_CA_BUNDLE, SSL_CERT_FILE",
    summary: "Trusted authorities, where the profile has no caFile; the first one counts"),
  EnvironmentRow(
    name: "SSL_CERT_DIR",
    summary: "Directory of trusted authorities, with hashed names, if no file is named"),
  EnvironmentRow(
    name: "XDG_RUNTIME_DIR", summary: "Where logins by URL scheme wait, without SDKCTL_HOME"),
  EnvironmentRow(
    name: "https_proxy, ALL_PROXY, NO_PROXY", summary: "Proxies, as curl understands them"),
  EnvironmentRow(
    name: "BROWSER", summary: "Commands that open a URL, separated by colons; %s is the URL"),
  EnvironmentRow(name: "NO_COLOR", summary: "No colours, whatever the value"),
  EnvironmentRow(
    name: "SOURCE_DATE_EPOCH", summary: "The date of generated manual pages"),
]

/// What is kept in files.
let fileRows: [FileRow] = [
  FileRow(
    path: "~/.config/sdkctl/config.json", summary: "The current profile and aliases"),
  FileRow(
    path: "~/.config/sdkctl/profiles/NAME/profile.json",
    summary: "The settings of a profile; no secret"),
  FileRow(
    path: "~/.config/sdkctl/profiles/NAME/pins.json", summary: "The pins of a profile; no secret"),
  FileRow(
    path: "~/.local/state/sdkctl/profiles/NAME/registration.json",
    summary: "The registration, with client credentials; mode 0600"),
  FileRow(
    path: "~/.local/state/sdkctl/profiles/NAME/credentials/SLOT.json",
    summary: "The tokens of a slot; mode 0600"),
  FileRow(
    path: "~/.local/state/sdkctl/pending/",
    summary: "Sockets of logins by URL scheme, without XDG_RUNTIME_DIR"),
  FileRow(
    path: "~/.local/state/sdkctl/profiles/NAME/dpop.json",
    summary: "The key that tokens are bound to; mode 0600"),
  FileRow(
    path: "~/.cache/sdkctl/issuers/", summary: "Metadata of authorization servers, for an hour"),
  FileRow(
    path: "~/.cache/sdkctl/jwks/",
    summary: "Keys that servers publish, as long as these say, a day at most"),
  FileRow(
    path: "~/.cache/sdkctl/logins/", summary: "Logins that failed, which keep browsers back"),
  FileRow(
    path: "~/.cache/sdkctl/clients/",
    summary: "How a server reads a client's credential, where it had to be tried"),
  FileRow(
    path: "~/.cache/sdkctl/nonces/", summary: "What servers want in the next proof of a key"),
]

private let environmentTopic = Topic.environment(
  summary: "The variables that are read",
  introduction: """
    An option stands before a variable, a variable before a setting of the profile, and that \
    before the default.
    """, environmentRows)

private let exitCodesTopic = Topic.exitCodes(
  summary: "What each exit status means",
  introduction: "One status for each decision that a script takes.", ExitCode.rows)

private let profilesTopic = Topic(
  name: "profiles", summary: "What a profile is, and its settings",
  text: """
    A profile is everything about one application at one provider, by name: where the servers \
    are, which client this is, which keys its hosts must show. `sdkctl profile add` makes one, \
    `sdkctl profile set` changes it. Its files hold no secret and may be committed and shared; \
    credentials lie elsewhere, readable by you alone.

    The profile that is meant is that of `--profile`, else of SDKCTL_PROFILE, else the current \
    one, which `sdkctl profile use` chooses. In place of its name, both take the URL of its \
    issuer, if no other profile has the same.

    The settings:

    """
      + ProfileKey.all.map { "* `\($0.name)`: \($0.summary) (\($0.kind.description))." }
      .joined(separator: "\n"))

private let pinsTopic = Topic(
  name: "pins", summary: "How servers are held to their keys",
  text: """
    A pin is the SHA-256 of a public key (RFC 7469), written `sha256/BASE64`. A server is accepted \
    only if its chain and its name validate as usual, and if a key of the validated path, leaf, \
    intermediate or root, is pinned for the host. What a server sends along without being part \
    of that path does not count. No TLS session is resumed, so no connection goes unchecked, and \
    each hop of a redirect is checked anew.

    Without pins for a host nothing is sent to it, unless the profile's `pinPolicy` is `report`; \
    then a mismatch is only told. A set of pins may end at a date; after it the \
    host is refused until new pins are added.

    A mismatch exits with 8 and prints both lists: the keys of the chain and the pinned ones. \
    Never retry it. Ask the people who run the server; then `sdkctl pin add` and \
    `sdkctl pin remove` follow a planned change. The key of an intermediate authority stays \
    longer than that of a leaf; pin a key in reserve too (`sdkctl pin add FILE --role backup`).
    """)

private let formatsTopic = Topic(
  name: "formats", summary: "Output for people and for programs",
  text: """
    Standard output is data, standard error is for people; prompts go to the terminal. What a \
    person reads may change, what follows is promised.

    With `--json`, commands print the shape that their manual page describes, and errors become \
    one object on standard error: `error` with `code` (a word), `exit` (the status), `message`, \
    `retryable`, `hint` (or null), `domain` and `number` (the vendors' numbering, or null), and \
    `details` (lines, when there are any). Times are ISO 8601 in UTC.

    On a terminal JSON is laid out, elsewhere it is one line. Bodies of responses are written as \
    they came; on a terminal, control characters are left out.
    """)

private let securityTopic = Topic(
  name: "security", summary: "What is protected, and how",
  text: """
    Secrets never come by option values, only from files that nobody else may read, standard \
    input or the terminal; they are not printed, logged or put into error messages. Only \
    `sdkctl token` prints a token. A person's password is taken only where the profile says \
    `passwordGrant=true`; in a browser the server alone sees it.

    Tokens are sent to the host of `resourceURL` and to the hosts in `allowedHosts`, and not \
    along a redirect to another origin. Verification of TLS cannot be turned off; TLS 1.2 is the \
    least. Plain http is for this machine, and only if `insecureLoopback` is set.

    Tokens are stored unencrypted in files with mode 0600. Files that others may read are \
    refused. Core dumps are off.

    A token that is bound to a key (`login --dpop`) is of no use without the key, which never \
    leaves this machine: each request carries a proof of it that is good for that request only. A \
    client certificate is shown to the authorization server and, with a token that is bound to it, \
    where that token may go.

    A login uses PKCE and checks `state`, issuer, nonce and the ID token. The listener is bound \
    to 127.0.0.1 and ::1 before the browser opens, and only a request with the exact path, a \
    loopback `Host` and the right `state` ends the wait, be it a success or an error; whatever \
    else comes is answered and forgotten. One login of a profile runs at a time, those who wait \
    share its result, and after a failure no browser opens for five seconds. A device code is for \
    whoever enters it: enter none that somebody else sent you.

    A browser is started with an address of the listener, which leads to the server once; if it \
    was used already, somebody else opened it. With `--scheme` the answer comes through the \
    arguments of a program, which other users can see: the code in it is good once, and for the \
    waiting process only.

    A token is refreshed by one process under a lock, written to disk, and only then handed out; \
    ^C waits for that. Many servers take each refresh token once. If such a server has made new \
    tokens and its answer never arrives (a broken connection, a killed process), nobody can tell \
    that from a server that did nothing: the tokens stay (exit 6), the access token is good as \
    long as it lasts, and the next refresh is refused (exit 4). Some servers then end all tokens \
    of that login, for they take it for theft. `sdkctl login` begins anew; nothing else is lost.

    Signed times are believed within a minute. A clock of this machine that is wrong by more makes \
    logins fail with exit 11; that it differs from the server's is told.

    The keys that verify ID tokens are kept for a day at most, and asked for anew when a token \
    does not fit them. An ID token that comes with a refresh must be of the user who logged in, \
    and so must the claims of `token userinfo`. With `register --encrypted-answers` the server \
    encrypts these to a key of this client, and an ID token in clear is refused.
    """)
