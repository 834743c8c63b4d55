import Arguments
import BulkRequests
import SDKCore

extension Fetch {
  struct PageArguments: Sendable {
    var isWanted = false
    var nextField: String?
    var nextParameter: String?
    /// The number of pages; `nil` for the default, which is a limit and not a wish.
    var maximumCount: Int?
    var isSlurped = false
  }

  static let pageOptions: [Option<Arguments>] = [
    .flag("paginate", \.pages.isWanted, "Fetch all pages of a list")
      .excludes(
        "batch", "request", "data", "form", "include", "head", "range", "continue", "no-fail",
        "etag-save", "etag-compare", "write-out", "dry-run", "as-curl"
      )
      .more(
        """
        The next page is where the header field `Link` leads with `rel=next` (RFC 8288), or a usual member of a \
        JSON body that holds a path or a URL of the same origin (`next`, `@odata.nextLink`, \
        `_links.next.href`), or what `--next-field` says. If a member looks like a cursor, a warning names the \
        options that follow it. The pages are written one after the other. Each is requested under the \
        rules of a redirect: its host needs pins, only the first origin gets the token, and https never leads \
        to http. `--max-size` limits each page (default 64 MiB).

        If a page cannot be fetched, its number and URL are shown on standard error: the same command \
        with that URL, and without `--param`, goes on there. A file of `--output` is written only if all \
        pages have been fetched.
        """),
    .value("next-field", "FIELD", \.pages.nextField, "Find the next page in the JSON body")
      .needs("paginate")
      .more(
        """
        The path of a URL: `paging.next`, `@odata.nextLink`. With `--next-param`, of a cursor. A \
        value that is missing, null, false or empty ends the list.
        """),
    .value("next-param", "NAME", \.pages.nextParameter, "Send the cursor as this parameter")
      .needs("next-field")
      .more(
        """
        `--next-field nextPageToken --next-param pageToken` sends the first request again with \
        `pageToken=CURSOR` in its query.
        """),
    .value(
      "max-pages", "NUMBER", \.pages.maximumCount, "Fetch at most this many pages (1000)",
      parse: Int.within(1...1_000_000)
    )
    .needs("paginate")
    .more(
      """
      If there are more, the URL of the next page is shown on standard error, and the exit status is 0. At the \
      limit of 1000 it is 1.
      """),
    .flag("slurp", \.pages.isSlurped, "Write the pages as one JSON array")
      .needs("paginate")
      .more(
        """
        The elements of pages that are arrays, and other pages as they are. If a page cannot be \
        fetched, the array ends with the page before.
        """),
  ]
}

extension Fetch.PageArguments {
  var source: NextPageSource {
    switch (nextField, nextParameter) {
    case (nil, _): .usual
    case (let field?, nil): .url(field: field)
    case (let field?, let parameter?): .cursor(field: field, parameter: parameter)
    }
  }
}
