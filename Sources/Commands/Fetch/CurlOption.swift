/// What an option of curl is here, for people who come from it; `help curl` lists them.
struct CurlOption: Sendable {
  /// Its forms, as curl has them.
  let names: [String]
  /// What to use instead, or why there is no such thing.
  let advice: String

  private init(_ advice: String, _ names: String...) {
    self.names = names
    self.advice = advice
  }

  /// The advice for an option that a command does not have; `nil` if curl has none of that name either, or if
  /// what it says is of `fetch` only.
  static func advice(_ name: String, atFetch: Bool) -> String? {
    (atFetch ? all : general).first { $0.names.contains(name) }?.advice
  }

  static let all = general + ofFetch

  private static let general = [
    CurlOption(
      "verification cannot be turned off; trust the server's authorities with `profile set caFile=FILE`",
      "-k", "--insecure", "--proxy-insecure"),
    CurlOption(
      "set the authorities of the profile: `profile set caFile=FILE`", "--cacert", "--capath"),
    CurlOption(
      "store the certificate and its key: `identity import FILE`", "-E", "--cert", "--key",
      "--pass"),
    CurlOption("pin the key: `pin add HOST`", "--pinnedpubkey"),
    CurlOption(
      "there is no Basic or Digest authentication; the token is the profile's, see `help login`",
      "-u", "--basic", "--digest", "--ntlm", "--negotiate", "-n", "--netrc", "--anyauth"),
    CurlOption("use SDKCTL_TOKEN, or BEARER_TOKEN_FILE", "--oauth2-bearer"),
    CurlOption("use --timeout", "-m", "--max-time"),
    CurlOption("use --quiet (-q)", "-s", "--silent", "-S", "--show-error", "-#", "--progress-bar"),
    CurlOption(
      "set https_proxy or ALL_PROXY, or the profile's: `profile set proxy=URL`", "-x", "--proxy"),
  ]

  private static let ofFetch = [
    CurlOption(
      "cookies come from `login form`; another one is sent with -H @FILE", "-b", "--cookie", "-c",
      "--cookie-jar"),
    CurlOption("use --param, which adds to the query of a GET", "-G", "--get"),
    CurlOption("use `fetch PUT PATH -d @FILE`", "-T", "--upload-file"),
    CurlOption("use `--param NAME=VALUE --encoding form`", "--data-urlencode", "--url-query"),
    CurlOption(
      "use --data (-d), which sends a body as it is", "--data-binary", "--data-raw", "--data-ascii"),
    CurlOption("use --form (-F), which sends a VALUE as it is typed", "--form-string"),
    CurlOption("choose the address with --resolve or --connect-to", "-4", "--ipv4", "-6", "--ipv6"),
    CurlOption("not needed: sdkctl names itself to servers", "-A", "--user-agent"),
    CurlOption("use -H 'Referer: URL'", "-e", "--referer"),
    CurlOption("create the directory before: `mkdir -p DIRECTORY`", "--create-dirs"),
    CurlOption("use --continue", "-C", "--continue-at"),
    CurlOption(
      "use --include (-i), or the variable header_json of --write-out", "-D", "--dump-header"),
    CurlOption(
      "a failure has an exit status already; --no-fail turns that off", "-f", "--fail-with-body"),
    CurlOption("use --max-size", "--max-filesize"),
    CurlOption("the token is for the first origin only", "--location-trusted"),
    CurlOption("use --batch", "-Z", "-K", "--config", "--next"),
    CurlOption(
      "libcurl chooses it: HTTP/2 if the server has it, and TLS 1.2 or later", "--http1.1",
      "--http2",
      "--tlsv1.2", "--tlsv1.3", "--ciphers"),
  ]
}
