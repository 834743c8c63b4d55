import Arguments

let formTopic = Topic(
  name: "form", summary: "Logins on the provider's pages: cookies and JWTs",
  text: """
    Some providers have no OAuth: a person fills in a form, and the browser then has a cookie. \
    `sdkctl login form` does the same, and {fetch} sends the cookies, or a JWT, with each request:

        sdkctl profile set form.url=https://portal.test/login
        sdkctl login form alice
        sdkctl fetch /me

    # The form

    The page of `form.url` is fetched. Its form is the one that has a field named in \
    `form.userField` or `form.passwordField`, else the first with a password. Hidden fields, \
    choices and the first button are sent as the page has them; `form.parameters` replaces them, \
    and a button that it names is pressed in place of the first. The form is sent to its address, \
    by its method and in its encoding (also `multipart/form-data`), as a browser does. \
    The name is typed into the field with `autocomplete=username`, else into the last text field \
    before the password. Redirects are followed, and pages with another form are steps of the same \
    login, at most ten. With `form.page=false` no page is fetched: the two fields and \
    `form.parameters` are sent to `form.url`.

    Scripts are not executed. Passwords are sent to the origin of `form.url`, to the hosts of \
    fetch and to `form.hosts`; a form that leads elsewhere is refused (exit 10), and a redirect to \
    another host ends the login.

    # Success

    A login has failed (exit 5) if the server returns 400 or more, if its JSON has an `error`, or \
    if the page asks for the name or the password again. Otherwise it has succeeded if

    * every cookie of `form.cookies` is set, if there is this setting, and
    * the address begins with `form.successURL`, if there is this setting.

    Without both, it has succeeded if there is a JWT, or a cookie that is new since the password \
    was sent, and the page asks for nothing more. Set `form.cookies` or `form.successURL` if the \
    login has another step after the password; name the fields of that step in `form.questions`.

    # What is stored

    A JWT: in the place of `form.jwt`; without this setting in the header field `Authorization`, \
    then in the member `token`, `jwt`, `access_token` or `id_token` of a JSON response. It is sent \
    as a bearer token. If the login sets no cookie, a token of at least 16 characters that is no JWT \
    is stored likewise, of the header field or of the member `token` or `access_token`. Otherwise the cookies, with domain, path, expiry, Secure and HttpOnly; with \
    `form.cookies`, only these. `form.provider` chooses one of the two. A cookie for a public \
    suffix is ignored.

    Cookies are sent to hosts that may have tokens and that the cookie is for, never to another \
    origin after a redirect. A `Set-Cookie` of a later response changes nothing. `sdkctl token \
    --cookie` prints them as a request has them, and `--cookie-jar` as a file for `curl -b`.

    # Logout

    With `form.logoutURL`, `sdkctl logout` gets that page with the cookies, and sends its form if \
    it asks for a confirmation. The cookies are erased in any case; without the setting, the \
    provider's session goes on until it ends.

    # 401

    A refusal is a response with 401 or 419, a redirect to the page of `form.url`, or, with \
    `form.pageText`, an HTML page with 2xx that has this text in its first 64 KiB, such as a piece \
    of the login form that a proxy sends in place of the resource. \
    `reauthenticate` says what follows: `refresh`, `form` (default after `login form`), \
    `fido` (see {fido}) or `none`. With `form`, {fetch} logs in again with `form.user` \
    and the password of `form.passwordFile`, stores the result, and sends the request once more. \
    One process of the machine does so, and the others use its result. A password that the \
    provider has refused is not sent again until the file changes. The exit status is 4 if the \
    server still leads to the login page, and without that file, unless `fetch --interactive` can \
    ask for the password. With `none` the response or the login page is delivered.
    """)
