"""Every page of the sandbox, as a person meets it: kept as pictures, and readable."""

from Servers.client import Client

from .person import BrowserCase


class PageTests(BrowserCase):
    def test_signing_in(self):
        self.start_login("--acr", "urn:sandbox:loa:2")
        self.sees("Sign in")
        self.shoot("sign-in-second-factor")
        self.end_login()
        self.start_login()
        self.sees("Sign in")
        focused = self.driver.switch_to.active_element.get_attribute("name")
        self.assertEqual(focused, "username")
        self.shoot("sign-in")
        self.sign_in(password="rabbit hole")
        self.assertTrue(self.alert())
        self.shoot("sign-in-wrong-password")
        self.sign_in()
        self.sees("Allow access?")
        self.shoot("consent")

    def test_signing_up(self):
        self.start_login()
        self.sees("Sign in")
        self.follow("Create an account")
        self.sees("Create an account")
        self.shoot("sign-up")
        self.type(name="Alice", username="alice", password="looking-glass")
        self.press("sign-up")
        self.assertTrue(self.alert())
        self.shoot("sign-up-taken")

    def test_a_forgotten_password(self):
        self.start_login()
        self.sees("Sign in")
        self.follow("Forgotten")
        self.sees("Forgotten password")
        self.shoot("forgotten")
        self.type(username="alice")
        self.press("send")
        self.sees("Look at your mail")
        self.shoot("forgotten-mail")
        self.press("reset")
        self.sees("Choose a new password")
        self.shoot("new-password")
        self.type(password="looking-glass")
        self.press("set")
        self.sees("Sign in")
        self.shoot("sign-in-new-password")
        self.sign_in(password="looking-glass")
        self.allow()
        self.sees("You are signed in")
        self.assertLoginEnds(0)

    def test_connecting_a_device(self):
        code = self.device_code()
        self.driver.get(self.sandbox.issuer + "/device")
        self.sees("Connect a device")
        self.shoot("device")
        self.type(user_code="NOPE-NOPE")
        self.press("go-on")
        self.assertTrue(self.alert())
        self.shoot("device-unknown")
        self.type(user_code=code)
        self.press("go-on")
        self.sign_in()
        self.sees("Allow access?")
        self.shoot("device-consent")
        self.press("allow")
        self.sees("Your device is connected")
        self.shoot("device-connected")

    def test_the_house_itself(self):
        self.driver.get(self.sandbox.issuer + "/")
        self.sees("The sandbox is running")
        self.shoot("home")
        self.driver.get(self.sandbox.issuer + "/logout")
        self.sees("Sign out?")
        self.shoot("sign-out")
        self.press("sign-out")
        self.sees("You are signed out")
        self.shoot("signed-out")
        self.driver.get(self.sandbox.issuer + "/sign-in?t=gone")
        self.sees("This page has expired")
        self.shoot("expired")

    def device_code(self) -> str:
        client = Client(self.sandbox.ca_file)
        registered = client.post(self.sandbox.issuer + "/register", json_body={
            "client_name": "Television", "scope": "openid profile read",
            "token_endpoint_auth_method": "none",
            "grant_types": ["urn:ietf:params:oauth:grant-type:device_code"]}).json()
        metadata = client.get(self.sandbox.issuer + "/.well-known/openid-configuration").json()
        answer = client.post(metadata["device_authorization_endpoint"], form={
            "client_id": registered["client_id"], "scope": "openid profile read"})
        return answer.json()["user_code"]
