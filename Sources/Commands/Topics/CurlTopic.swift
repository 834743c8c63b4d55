import Arguments

let curlTopic = Topic(
  name: "curl", summary: "The options of curl, and what to use in sdkctl",
  text: """
    {fetch} has curl's names where an option means the same: `-X`, `-H`, `-d`, `-F`, `-o`, `-O`, \
    `-i`, `-I`, `-L`, `-r`, `-w`, `--compressed`, `--connect-timeout`, `--connect-to`, \
    `--etag-save`, `--etag-compare`, `--output-dir`, `--resolve` and `--retry`. \
    `fetch --as-curl` prints a request as a command for curl. `--json` is another option here: it \
    prints the response as JSON, and `--user` fetches as the user.

    Other options of curl:

    \(CurlOption.all.map { "* \($0.names.map { "`\($0)`" }.joined(separator: ", ")): \($0.advice)." }
      .joined(separator: "\n"))
    """, otherOptions: CurlOption.all.flatMap(\.names).map { String($0.prefix { $0 != "." }) })
