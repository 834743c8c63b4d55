/// What the pages look like: one style sheet and one drawing, light and dark.
extension Routes {
  mutating func addLooks() {
    get("/", .pages) { exchange in Pages.home(issuer: exchange.sandbox.issuer) }
    get("/style.css", .pages) { _ in kept(styleSheet, type: "text/css; charset=utf-8") }
    get("/icon.svg", .pages) { _ in kept(icon, type: "image/svg+xml") }
    get("/favicon.ico", .pages) { _ in kept(icon, type: "image/svg+xml") }
  }
}

private func kept(_ text: String, type: String) -> Response {
  var answer = Response.bytes(Array(text.utf8), type: type)
  answer.headers[.cacheControl] = "max-age=300"
  return answer
}

private let icon = """
  <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="8" fill="#0f766e"/>
  <path d="M5 23c4-7 7-7 11-2s7 4 11-3v9H5z" fill="#f2c879"/>
  <circle cx="21.500" cy="9.500" r="3.500" fill="#ffe9bd"/>
  </svg>

  """

private let styleSheet = """
  :root {
    color-scheme: light dark;
    --ground: #f6f1e7; --card: #ffffff; --ink: #23272b; --soft: #5b6168; --line: #d8d2c6;
    --accent: #0f6b63; --on-accent: #ffffff; --alert: #9b1c1c; --alert-ground: #fdecea;
    --notice-ground: #e6f4f1; --shadow: 0 1px 2px #00000014, 0 12px 32px #00000014;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --ground: #14171a; --card: #1f2428; --ink: #eceff1; --soft: #a9b1b8; --line: #3a4147;
      --accent: #5eead4; --on-accent: #06302b; --alert: #ffb4ab; --alert-ground: #4a1d1a;
      --notice-ground: #123a35; --shadow: 0 1px 2px #00000066, 0 12px 32px #00000055;
    }
  }
  * { box-sizing: border-box; }
  body {
    margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem;
    background: var(--ground); color: var(--ink);
    font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", Cantarell, sans-serif;
  }
  main { width: 100%; max-width: 26rem; }
  .brand {
    display: flex; align-items: center; gap: .6rem; margin: 0 0 1rem .25rem;
    font-weight: 650; letter-spacing: .01em;
  }
  .card {
    background: var(--card); border: 1px solid var(--line); border-radius: 16px;
    padding: 1.75rem; box-shadow: var(--shadow);
  }
  .card > :last-child { margin-bottom: 0; }
  h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; }
  .lead { margin: .35rem 0 1.25rem; color: var(--soft); }
  .lead strong { color: var(--ink); }
  label { display: block; margin: 1rem 0 .3rem; font-weight: 600; font-size: .925rem; }
  input:not([type=hidden]) {
    width: 100%; font: inherit; color: inherit; background: var(--ground);
    border: 1px solid var(--line); border-radius: 10px; padding: .6rem .75rem;
  }
  small { display: block; margin-top: .3rem; color: var(--soft); }
  button, .button {
    display: block; width: 100%; margin-top: 1.4rem; font: inherit; font-weight: 650;
    text-align: center; text-decoration: none; cursor: pointer; border-radius: 10px;
    padding: .65rem 1rem; border: 1px solid var(--accent);
    background: var(--accent); color: var(--on-accent);
  }
  button:hover, .button:hover { filter: brightness(1.08); }
  button.second, button.plain { background: transparent; color: var(--accent); }
  button.plain { margin-top: .5rem; border-color: transparent; }
  a { color: var(--accent); }
  a.button { color: var(--on-accent); }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  .pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
  .links {
    display: flex; flex-wrap: wrap; gap: .4rem 1.25rem; margin: 1.25rem 0 0;
    padding-top: 1.1rem; border-top: 1px solid var(--line); font-size: .925rem;
  }
  .scopes { list-style: none; margin: 0 0 1rem; padding: 0; }
  .scopes li {
    display: flex; justify-content: space-between; gap: 1rem; padding: .55rem 0;
    border-bottom: 1px solid var(--line);
  }
  .scopes li:last-child { border-bottom: 0; }
  code { font: .85rem/1.7 ui-monospace, "DejaVu Sans Mono", monospace; color: var(--soft); }
  .code {
    margin: .5rem 0 1rem; padding: .6rem; text-align: center; border-radius: 10px;
    background: var(--ground); overflow-wrap: anywhere;
    font: 600 1.1rem ui-monospace, "DejaVu Sans Mono", monospace; letter-spacing: .08em;
  }
  .address { font-size: .95rem; letter-spacing: 0; }
  .alert, .notice { margin: 1rem 0 0; padding: .65rem .85rem; border-radius: 10px; }
  .alert { background: var(--alert-ground); color: var(--alert); }
  .notice { background: var(--notice-ground); }
  .who { margin: 0; font-size: .925rem; color: var(--soft); }
  .foot { margin: 1rem .25rem 0; text-align: center; font-size: .85rem; color: var(--soft); }

  """
