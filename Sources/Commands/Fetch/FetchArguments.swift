import Arguments
import HTTP
import SDKCore

extension Fetch {
  /// The form in which a request is shown instead of being sent.
  enum Preview: Sendable { case dryRun, curl }

  struct Arguments: CommandArguments {
    var access: Access?
    var method: String?
    var headers: [Header] = []
    var parameters: [Parameter] = []
    var encoding = ParametersEncoding.json
    var data: String?
    var form: [FormPart] = []
    var output: String?
    var remoteName = false
    var outputDirectory: String?
    var clobber = true
    var continues = false
    var include = false
    var head = false
    var fail = true
    var strictPins = false
    var interactive = false
    var range: ByteRanges?
    var compressed = false
    var follows = true
    var maximumSize: ByteSize?
    var writeOut: WriteOut?
    var etagSave: String?
    var etagCompare: String?
    var retry: Int64 = 0
    var preview: Preview?
    var connection = ConnectionArguments()
    var identity = IdentityChoice.automatic
    var pages = Fetch.PageArguments()
    var batch = Fetch.BatchArguments()
    var word: String?
    var target = ""
  }
}

extension Fetch.Arguments {
  static let options: [Option<Self>] =
    mainOptions + .group("Parameters", parameterOptions) + .group("Response", responseOptions)
    + .group(.outputFile, fileOptions)
    + .group(.connection, connectionOptions + Fetch.identityOptions)
    + .group("Preview", previewOptions) + .group("Lists of several pages", Fetch.pageOptions)
    + .group("Many requests", Fetch.batchOptions)

  private static let mainOptions: [Option<Self>] =
    Access.options(\.access, "Fetch") + [
      .flag("unauth", \.access, setting: .unauthenticated, "Fetch without a token")
        .exclusive("access"),
      .value("request", short: "X", "METHOD", \.method, "Send this method")
        .completing(.choices(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])),
      .list("header", short: "H", "'NAME: VALUE'|@FILE", \.headers, "Send header fields")
        .completing(.file).input { try Header.reading($0).file }
        .more(
          """
          As in curl: `NAME;` sends a field without a value, and `NAME:` leaves out a field that is \
          sent by default, such as `Accept`. A field that is a secret belongs in a file.
          """),
      .value("data", short: "d", "TEXT|@FILE", \.data, "Send this body; - is standard input")
        .completing(.file).allowingEmpty().excludes("form", "param").input { $0 == "@-" ? "-" : $0 }
        .more(
          """
          Without a header field `Content-Type` the type is that of the file's name (`.json`, `.xml`, \
          `.txt`, `.html`, `.pdf` and images), else `application/json` for a text or a file (16 MiB) that \
          is a JSON object or array, else `application/octet-stream`.

          If POST, PUT or PATCH has no body, standard input must not be a pipe or a file: `--data -` sends it, \
          and `</dev/null` says that there is no body.
          """),
      .value("output", short: "o", "FILE", \.output, "Write the body to a file").completing(.file)
        .excludes("remote-name"),
      .flag("interactive", \.interactive, "Log in by browser if a login is needed"),
    ]

  private static let parameterOptions: [Option<Self>] = [
    .list("param", "NAME=VALUE|NAME:=JSON", \.parameters, "Send a parameter")
      .input { try Parameter.reading($0).file }
      .more(
        """
        `NAME:=JSON` sends a JSON value: `--param count:=3`, `--param tags:='[1,2]'`, and \
        `NAME:=@FILE` one of a file. A name with = or : at its end has a backslash before it: \
        `a\\=b=c`.
        """),
    .choice("encoding", "ENCODING", \.encoding, "Encode parameters of a body like this")
      .more(
        """
        `json` is an object, `form` is `application/x-www-form-urlencoded`. In a form and in a query, \
        an array is `tags[]=1&tags[]=2` and an object `filter[name]=x`; with `form-json` both are JSON \
        text. In a form with `--form` they are JSON text.
        """),
    .list("form", short: "F", "NAME=VALUE|NAME=@FILE", \.form, "Send a field or a file of a form")
      .input { try FormPart.reading($0).file }
      .completing(.file)
      .more(
        """
        As in curl: `NAME=VALUE`, `NAME=<FILE` for the text of a file, `NAME=@FILE` to upload a \
        file, `@-` for standard input; each with `;type=TYPE` and `;filename=NAME` if wanted: \
        `meta={"a":1};type=application/json`. A VALUE without them is sent as it is typed, with its \
        quotes and spaces. The request is a POST with `multipart/form-data`; values of `--param` \
        become fields of it.
        """),
  ]

  private static let responseOptions: [Option<Self>] = [
    .flag("include", short: "i", \.include, "Write status and header fields before the body"),
    .flag("head", short: "I", \.head, "Send HEAD, and write status and header fields"),
    .flag("fail", \.fail, "Exit with 12 or 13 on an HTTP error (default)", negatable: true),
    .flag("strict-pins", \.strictPins, "Exit with 8 if a server shows no pinned key")
      .more(
        """
        With the policy `report` such a request is sent, with its token, and the response is \
        written. It applies to every connection of the command, also to the token endpoint. The \
        policy `enforce` sends nothing.
        """),
    .value(
      "range", short: "r", "RANGE", \.range, "Request a part of the body: 0-499, 500- or -500"),
    .flag("location", short: "L", \.follows, "Follow redirects (default)", negatable: true)
      .more(
        """
        At most 10, with the rules above. `--no-location` writes the redirect itself; \
        `%{redirect_url}` is where it leads to.
        """),
    .flag("compressed", \.compressed, "Let the server compress the body, and decode it"),
    .value("max-size", "SIZE", \.maximumSize, "Refuse a larger body (decoded)"),
    .value("write-out", short: "w", "FORMAT|@FILE", \.writeOut, "Write this after the body")
      .input { try WriteOut.reading($0).file }
      .completing(.file).allowingEmpty()
      .more(
        """
        The variables have curl's names: `%{http_code}`, `%{time_total}`, `%{size_download}`, \
        `%header{NAME}`, `%{header_json}`, `%{certs}`, `%{json}` and most others of curl. \
        `%{exitcode}` is the exit status of sdkctl, and `%{pins}` is `matched`, \
        `mismatched` or `unpinned`.
        """),
  ]

  private static let fileOptions: [Option<Self>] = [
    .flag("remote-name", short: "O", \.remoteName, "Write to a file named as in the URL"),
    .value("output-dir", "DIRECTORY", \.outputDirectory, "Put the file into this directory")
      .completing(.directory).allowingEmpty().needs("output", "remote-name"),
    .flag("clobber", \.clobber, "Replace an existing file (default)", negatable: true)
      .needs("output", "remote-name")
      .more("With `--no-clobber`, a file that exists is an error."),
    .flag("continue", \.continues, "Keep a part of the file, and continue it")
      .needs("output", "remote-name")
      .excludes("compressed", "range", "no-clobber", "include", "head")
      .more(
        """
        The body is written to `FILE.part`, which stays if the transfer fails or is interrupted. \
        The next run requests the rest, if the server says that the resource is the same \
        (`If-Range` with a strong ETag or a date); otherwise it starts again.
        """),
    .value("etag-save", "FILE", \.etagSave, "Save the ETag of the response")
      .completing(.file),
    .value("etag-compare", "FILE", \.etagCompare, "Fetch only if the saved ETag has changed")
      .completing(.file),
  ]

  private static let connectionOptions: [Option<Self>] =
    [
      .value(
        "retry", "NUMBER", \.retry, "Repeat after transient failures",
        parse: Int64.within(0...1000)
      )
      .more(
        """
        After a failure of the network, or a status of 408, 425, 429 or from 500 on (not 501 and 505), for \
        GET, HEAD, PUT and DELETE. It waits one second, then twice as long each time, or as \
        long as `Retry-After` says; never beyond `--timeout`. This option is not needed \
        where the server closes a connection that has served other requests: a request that got \
        nothing of a response there is sent again on another one.
        """)
    ] + ConnectionArguments.options.of(\.connection)

  private static let previewOptions: [Option<Self>] = [
    .flag("dry-run", \.preview, setting: .dryRun, "Show the request; do not send it")
      .exclusive("preview"),
    .flag("as-curl", \.preview, setting: .curl, "Show a curl command; do not send it")
      .exclusive("preview")
      .more("The token is not shown: the command gets it from {token}."),
  ]
}

extension Fetch {
  static let identityOptions: [Option<Arguments>] = [
    .value(
      "identity", "NAME", \.identity, "Show this identity to servers that ask for one"
    ) { (text) throws(ValueError) in
      do {
        return .named(try IdentityName(text))
      } catch {
        throw ValueError("expected the name of an identity")
      }
    }
    .completing(.dynamic("identities")).exclusive("identity"),
    .flag("no-identity", \.identity, setting: .none, "Show no identity, and obtain none")
      .exclusive("identity"),
  ]
}
