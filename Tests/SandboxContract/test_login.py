import unittest

from browser import Browser
from client import REDIRECT, Client, claims, header
from program import shared


class Login(unittest.TestCase):
    def setUp(self):
        self.client = Client(shared(), token_endpoint_auth_method="none")

    def test_the_whole_way_through_the_pages_yields_tokens(self):
        browser = self.client.browse()
        self.assertEqual(browser.page.title, "Sign in")
        browser.sign_in()
        self.assertEqual(browser.page.title, "Allow access?")
        browser.allow()
        outcome = browser.outcome
        self.assertEqual(outcome["state"], self.client.state)
        self.assertEqual(outcome["iss"], shared().issuer)
        tokens = self.client.redeem(outcome["code"]).json
        self.assertEqual(tokens["token_type"], "Bearer")
        self.assertEqual(tokens["expires_in"], 300)
        self.assertEqual(tokens["scope"], "openid profile email read write")
        identity = claims(tokens["id_token"])
        self.assertEqual(identity["iss"], shared().issuer)
        self.assertEqual(identity["aud"], self.client.id)
        self.assertEqual(identity["nonce"], self.client.nonce)
        self.assertEqual(identity["preferred_username"], "alice")
        self.assertEqual(identity["amr"], ["pwd"])
        self.assertEqual(header(tokens["access_token"])["typ"], "at+jwt")

    def test_pages_allow_no_script_and_are_not_cached(self):
        answer = self.client.browse().answer
        policy = answer.fields["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("script-src", policy)
        self.assertIn("form-action 'self' http://127.0.0.1:7777", policy)
        self.assertEqual(answer.fields["Cache-Control"], "no-store")
        self.assertNotIn("<script", answer.text)

    def test_a_wrong_password_may_be_corrected(self):
        browser = self.client.browse().sign_in(password="looking-glass")
        self.assertIn("do not fit", browser.page.alert)
        self.assertEqual(browser.page.form("/sign-in").values["username"], "alice")
        self.assertIn("code", browser.sign_in().allow().outcome)

    def test_cancel_is_access_denied_at_both_pages(self):
        for step in (
            lambda: self.client.browse().submit("/cancel"),
            lambda: self.client.browse().sign_in().submit("/consent", decision="cancel"),
        ):
            outcome = step().outcome
            self.assertEqual(outcome["error"], "access_denied")
            self.assertEqual(outcome["state"], self.client.state)
            self.assertEqual(outcome["iss"], shared().issuer)

    def test_sign_up_by_prompt_create(self):
        browser = self.client.browse(prompt="create")
        self.assertEqual(browser.page.title, "Create an account")
        browser.submit("/sign-up", name="Carol", username="alice", password="secret")
        self.assertIn("taken", browser.page.alert)
        name = "carol" + self.client.id[-6:]
        browser.submit("/sign-up", name="Carol <b>", username=name, password="secret")
        self.assertIn("Carol &lt;b&gt;", browser.answer.text)
        tokens = self.client.redeem(browser.allow().outcome["code"]).json
        self.assertEqual(claims(tokens["id_token"])["preferred_username"], name)

    def test_a_forgotten_password_is_replaced(self):
        browser = self.client.browse(prompt="create")
        name = "dora" + self.client.id[-6:]
        browser.submit("/sign-up", name="Dora", username=name, password="before")
        browser = self.client.browse()
        browser.open(next(link for link in browser.page.links if "forgotten" in link))
        browser.submit("/forgotten", username=name)
        browser.open(next(link for link in browser.page.links if "reset-password" in link))
        browser.submit("/reset-password", password="after")
        self.assertIn("new password is set", browser.answer.text)
        browser.sign_in(name, "before")
        self.assertIn("do not fit", browser.page.alert)
        self.assertIn("code", browser.sign_in(name, "after").allow().outcome)

    def test_prompt_none_answers_without_a_page(self):
        browser = self.client.browse(prompt="none")
        self.assertEqual(browser.outcome["error"], "login_required")
        browser.open(self.client.authorization()).sign_in()
        browser.open(self.client.authorization(prompt="none"))
        self.assertEqual(browser.outcome["error"], "consent_required")
        browser.open(self.client.authorization()).allow()
        browser.open(self.client.authorization(prompt="none"))
        self.assertIn("code", browser.outcome)

    def test_prompt_none_says_what_is_missing(self):
        browser = self.client.browse().sign_in().allow()
        hint = self.client.redeem(browser.outcome["code"]).json["id_token"]
        bob = self.client.browse().sign_in("bob", "builder").allow()
        bobs = self.client.redeem(bob.outcome["code"]).json["id_token"]
        for more, error in (
            ({"acr_values": "urn:sandbox:otp"}, "interaction_required"),
            ({"id_token_hint": bobs}, "login_required"), ({"max_age": "0"}, "login_required"),
            ({"scope": "openid application-details"}, "consent_required"),
            ({"id_token_hint": hint}, None), ({"acr_values": "urn:sandbox:pwd"}, None),
            ({"max_age": "100"}, None),
        ):
            browser.open(self.client.authorization(prompt="none", **more))
            self.assertEqual(browser.outcome.get("error"), error, more)

    def test_the_person_of_the_hint_must_sign_in(self):
        browser = self.client.browse().sign_in().allow()
        hint = self.client.redeem(browser.outcome["code"]).json["id_token"]
        browser.open("/logout?id_token_hint=" + hint)
        browser.open(self.client.authorization(id_token_hint=hint))
        self.assertEqual(browser.page.form("/sign-in").values["username"], "alice")
        browser.sign_in("bob", "builder")
        self.assertEqual(browser.outcome["error"], "login_required")
        browser.open(self.client.authorization(id_token_hint=hint))
        self.assertEqual(browser.page.title, "Sign in")
        self.assertIn("code", browser.sign_in().allow().outcome)
        forged = hint[:-8] + "AAAAAAAA"
        for text in (forged, "nothing"):
            outcome = self.client.browse(id_token_hint=text).outcome
            self.assertEqual(outcome["error"], "invalid_request")

    def test_the_time_of_the_sign_in_is_in_every_id_token(self):
        browser = self.client.browse(max_age="100").sign_in().allow()
        first = self.client.redeem(browser.outcome["code"]).json
        moment = claims(first["id_token"])["auth_time"]
        browser.open(self.client.authorization(max_age="100"))
        again = self.client.redeem(browser.outcome["code"]).json
        later = self.client.refresh(first["refresh_token"]).json
        for tokens in (again, later):
            identity = claims(tokens["id_token"])
            self.assertEqual((identity["auth_time"], identity["acr"]), (moment, "urn:sandbox:pwd"))

    def test_a_known_person_is_not_asked_again_unless_the_client_wants_it(self):
        browser = self.client.browse().sign_in().allow()
        browser.open(self.client.authorization())
        self.assertIn("code", browser.outcome)
        for more, title in (
            ({"prompt": "login"}, "Sign in"), ({"prompt": "consent"}, "Allow access?"),
            ({"max_age": "0"}, "Sign in"), ({"prompt": "select_account"}, "Sign in"),
            ({"acr_values": "urn:sandbox:otp"}, "One-time code"),
        ):
            browser.open(self.client.authorization(**more))
            self.assertEqual(browser.page.title, title, more)
        browser.open(self.client.authorization(prompt="login")).sign_in("bob", "builder")
        self.assertEqual(browser.page.title, "Allow access?")

    def test_the_second_factor_raises_the_level(self):
        for level in ("urn:sandbox:otp", "urn:sandbox:loa:2"):
            browser = self.client.browse(acr_values=level)
            browser.sign_in().submit("/one-time-code", code="000000")
            self.assertIn("one-time code", browser.page.alert)
            browser.submit("/one-time-code", code="246810").allow()
            identity = claims(self.client.redeem(browser.outcome["code"]).json["id_token"])
            self.assertEqual(identity["acr"], level)
            self.assertEqual(identity["amr"], ["pwd", "otp", "mfa"])

    def test_the_level_has_the_name_that_was_asked_for(self):
        browser = self.client.browse(acr_values="urn:sandbox:otp").sign_in()
        browser.submit("/one-time-code", code="246810").allow()
        for asked, level in (
            ("urn:sandbox:loa:1", "urn:sandbox:loa:1"), ("urn:other urn:sandbox:pwd",
             "urn:sandbox:pwd"), ("urn:other", "urn:sandbox:otp"), (None, "urn:sandbox:otp"),
        ):
            browser.open(self.client.authorization(acr_values=asked))
            identity = claims(self.client.redeem(browser.outcome["code"]).json["id_token"])
            self.assertEqual(identity["acr"], level)

    def test_the_one_time_code_is_for_those_who_are_signed_in(self):
        browser = self.client.browse(acr_values="urn:sandbox:otp")
        transaction = browser.page.form("/sign-in").values["t"]
        for code in ("000000", "246810"):
            browser.open("/one-time-code", "POST", {"t": transaction, "code": code})
            self.assertEqual(browser.page.title, "Sign in")
        browser.open(f"/one-time-code?t={transaction}")
        self.assertEqual(browser.page.title, "Sign in")
        outcome = browser.sign_in().submit("/cancel").outcome
        self.assertEqual(outcome["error"], "access_denied")

    def test_the_login_hint_fills_in_the_name(self):
        browser = self.client.browse(login_hint="bob\"><i>")
        self.assertEqual(browser.page.form("/sign-in").values["username"], "bob\"><i>")

    def test_form_post_returns_by_a_form(self):
        browser = self.client.browse(response_mode="form_post").sign_in().allow()
        form = browser.page.form(REDIRECT)
        self.assertEqual(form.method, "post")
        self.assertEqual(form.values["state"], self.client.state)
        self.assertEqual(self.client.redeem(form.values["code"]).status, 200)

    def test_requests_that_cannot_be_answered_to_the_client_end_on_a_page(self):
        for more in (
            {"client_id": "nobody"}, {"redirect_uri": "https://evil.example/"},
            {"redirect_uri": "http://127.0.0.1:7777/other"},
        ):
            browser = self.client.browse(**more)
            self.assertEqual(browser.answer.status, 400, more)
            self.assertEqual(browser.page.title, "This sign-in link is not valid")
        browser.open(self.client.authorization() + "&scope=read")
        self.assertEqual(browser.answer.status, 400)

    def test_a_loopback_redirect_may_have_any_port(self):
        browser = self.client.browse(redirect_uri="http://127.0.0.1:9/callback")
        browser.sign_in().allow()
        self.assertTrue(browser.address.startswith("http://127.0.0.1:9/callback?code="))

    def test_faulty_requests_are_refused_at_the_redirect_uri(self):
        for more, error in (
            ({"code_challenge": None}, "invalid_request"),
            ({"code_challenge_method": "plain"}, "invalid_request"),
            ({"response_type": "token"}, "unsupported_response_type"),
            ({"scope": "openid everything"}, "invalid_scope"),
            ({"scope": None}, "invalid_scope"), ({"scope": ""}, "invalid_scope"),
            ({"prompt": "none login"}, "invalid_request"),
            ({"max_age": "soon"}, "invalid_request"),
            ({"request": "a.b.c"}, "request_not_supported"),
        ):
            outcome = self.client.browse(**more).outcome
            self.assertEqual(outcome["error"], error, more)
            self.assertEqual(outcome["state"], self.client.state)

    def test_another_browser_cannot_go_on_with_a_login(self):
        browser = self.client.browse()
        stranger = Browser(shared()).open(browser.address)
        self.assertEqual(stranger.answer.status, 400)
        self.assertEqual(stranger.page.title, "This page has expired")

    def test_sign_out_ends_the_session_and_returns(self):
        client = Client(
            shared(), token_endpoint_auth_method="none",
            post_logout_redirect_uris=["http://127.0.0.1:7777/bye"])
        browser = client.browse().sign_in().allow()
        tokens = client.redeem(browser.outcome["code"]).json
        browser.open("/logout")
        self.assertEqual(browser.page.title, "Sign out?")
        browser.open(
            f"/logout?id_token_hint={tokens['id_token']}&state=s1"
            "&post_logout_redirect_uri=http://127.0.0.1:7777/bye")
        self.assertEqual(browser.address, "http://127.0.0.1:7777/bye?state=s1")
        browser.open(
            f"/logout?id_token_hint={tokens['id_token']}"
            "&post_logout_redirect_uri=http://127.0.0.1:7777/other")
        self.assertEqual(browser.page.title, "You are signed out")
        browser.open(client.authorization(prompt="none"))
        self.assertEqual(browser.outcome["error"], "login_required")

    def test_an_id_token_ends_its_session_from_anywhere(self):
        browser = self.client.browse().sign_in().allow()
        tokens = self.client.redeem(browser.outcome["code"]).json
        elsewhere = Browser(shared())
        forged = tokens["id_token"][:-8] + "AAAAAAAA"
        self.assertEqual(elsewhere.open(f"/logout?id_token_hint={forged}").answer.status, 400)
        browser.open(self.client.authorization(prompt="none"))
        self.assertIn("code", browser.outcome)
        elsewhere.open(f"/logout?id_token_hint={tokens['id_token']}")
        self.assertEqual(elsewhere.page.title, "You are signed out")
        browser.open(self.client.authorization(prompt="none"))
        self.assertEqual(browser.outcome["error"], "login_required")
