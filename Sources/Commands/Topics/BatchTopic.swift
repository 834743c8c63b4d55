import Arguments

let batchTopic = Topic(
  name: "batch", summary: "Many requests with one command",
  text: """
    `sdkctl fetch --batch FILE` sends the requests of a file, one JSON object per line, and writes \
    one JSON object per line as each of them ends:

        sdkctl fetch --batch requests.ndjson > results.ndjson
        generate | sdkctl fetch --batch - --parallel 50 | jq -c .status

    All requests share the connections and the token of one command; a token that expires meanwhile \
    is renewed. Requests to an HTTP/2 server share a connection. Memory depends on `--parallel`, not on \
    the number of lines.

    A line ends at LF, CR LF or CR. Empty lines are ignored, and so is a byte order mark before the \
    first line. A line has at most 16 MiB.

    # Request

    A line that is not JSON is a path or a URL, which is fetched by GET. In an object, `path` is \
    required: a path below the profile's `resourceURL`, or a URL. The other members are optional:

    * `id`: any JSON value; the result repeats it.
    * `method`: GET by default, or POST if there is a body.
    * `headers`: an object; a value is a string, or an array of strings for a field that is \
    repeated. Fields of `-H` are added to every request that does not have them.
    * `parameters`: an object; its values go into the query of GET, HEAD and DELETE, and into the \
    body of other methods. In a JSON body they are the values of the line.
    * `parametersEncoding`: `json` (default), `formURL` or `form-json`.
    * `body`: a string that is sent as it is, or another JSON value that is sent as JSON. The type of the \
    body is found as for `--data`.
    * `bodyBase64`: a body in base64.
    * `bodyFile`: the path of a file with the body.
    * `multipart`: the parts of a form, an array of objects with `name` and either `value` or \
    `file` (a path), and optionally `type` and `filename`. Parameters become fields of the form.
    * `access`: `user`, `implicit`, `anonymous` or `unauth`, in place of the option.
    * `timeout`: seconds.
    * `output`: the file for the body of the response. It is not written after an HTTP error. If \
    requests have the same file, it holds the whole body of the one that ended last.

    # Result

    Each line is a result. {fetch} describes its members for `--batch`; one without a value is null.

    `--field` prints one value of each result.

    A body in a result is limited to 16 MiB; use `output` for a longer one. A line that is not a \
    request has a result with exit 2, which is written when the line is read: perhaps before the \
    results of lines above it. Results are written in groups while requests follow each other, \
    and at once when the command waits.

    # Limits, failures, interruption

    `--parallel` limits the requests that run at once, and `--rate 10/s` how often one starts. \
    `--fail-early` starts no request after a failure; those that run are completed. `--retry` \
    repeats each request as it repeats a single one. The command exits with 0 if all requests \
    succeeded, with the status of the failures if they all have the same, and with 1 otherwise. \
    If the results cannot be written any more, no request starts, and the exit status is 1.

    On SIGINT and SIGTERM no request starts, the running ones are cancelled and have a result \
    with exit 130, and the command ends by the signal.
    """)
