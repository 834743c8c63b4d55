/// One HTML page: its words, and the rules it is sent under.
struct Page {
  let title: String
  /// The inside of the card, as HTML.
  let content: String
  /// Where forms may lead beside the sandbox itself.
  var formTarget: String?
  var status = HTTPStatus.ok

  /// The page with rules that leave no room for scripts, frames or foreign content.
  var answer: Response {
    let policy = [
      "default-src 'none'", "style-src 'self'", "img-src 'self'",
      "form-action 'self'" + (formTarget.map { " \($0)" } ?? ""),
      "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")
    var answer = Response.bytes(
      Array(document.utf8), type: "text/html; charset=utf-8", status: status)
    answer.headers[.contentSecurityPolicy] = policy
    answer.headers[.referrerPolicy] = "no-referrer"
    answer.headers[.contentTypeOptions] = "nosniff"
    return answer
  }

  private var document: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(html(title)) · Sandbox</title>
    <link rel="stylesheet" href="/style.css">
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    </head>
    <body>
    <main>
    <p class="brand"><img src="/icon.svg" alt="" width="28" height="28"> Sandbox</p>
    <section class="card">
    <h1>\(html(title))</h1>
    \(content)
    </section>
    <p class="foot">This server runs on your own machine. Nobody here is real.</p>
    </main>
    </body>
    </html>

    """
  }
}

/// Pieces that the pages are put together from.
enum Markup {
  static func alert(_ text: String?) -> String {
    text.map { "<p class=\"alert\" role=\"alert\">\(html($0))</p>" } ?? ""
  }

  static func notice(_ text: String?) -> String {
    text.map { "<p class=\"notice\" role=\"status\">\(html($0))</p>" } ?? ""
  }

  static func field(
    _ name: String, _ label: String, type: String = "text", value: String = "",
    complete: String = "off", isFirst: Bool = false, hint: String? = nil
  ) -> String {
    let hintText = hint.map { "<small id=\"\(name)-hint\">\(html($0))</small>" } ?? ""
    let describes = hint == nil ? "" : " aria-describedby=\"\(name)-hint\""
    return """
      <label for="\(name)">\(html(label))</label>
      <input id="\(name)" name="\(name)" type="\(type)" value="\(html(value))" \
      autocomplete="\(complete)" autocapitalize="none" spellcheck="false" required\
      \(isFirst ? " autofocus" : "")\(describes)>
      \(hintText)
      """
  }

  static func hidden(_ name: String, _ value: String) -> String {
    "<input type=\"hidden\" name=\"\(html(name))\" value=\"\(html(value))\">"
  }

  /// A form of its own that turns back.
  static func cancel(_ id: String) -> String {
    """
    <form method="post" action="/cancel" class="quiet">\(hidden("t", id))
    <button class="plain" id="cancel">Cancel</button></form>
    """
  }
}
