"""What users do in a browser: they sign in for an app, and allow a device that has none (RFC 8628)."""

import base64
import hashlib
import html
import re
import urllib.parse

from . import settings
from .people import UNKNOWN, Session, Spent
from .record import now

_REDIRECT = "http://localhost:3000/signed-in"
_GRANT = "urn:ietf:params:oauth:grant-type:device_code"


def _words(answer):
    """The parameters that a browser is sent away with."""
    return urllib.parse.parse_qs(urllib.parse.urlsplit(answer.headers.get("Location", "")).query)


class Browser:
    """Keeps cookies, follows no redirect, and reads the hidden fields of a page's form."""

    def __init__(self, caller):
        self.caller, self.cookies = caller, {}

    def call(self, kind, method, path, form=None, changes=False):
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self.caller.call(kind, method, path, form, form=True, cookies=cookies, changes=changes)
        for line in answer.headers.get_all("Set-Cookie", []):
            name, _, value = line.split(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    @staticmethod
    def fields(answer, action):
        """The hidden fields of the form that leads there; none without such a form."""
        found = re.search(rf'<form [^>]*action="{action}".*?</form>', answer.content.decode(errors="replace"), re.S)
        return found and {name: html.unescape(value) for name, value in re.findall(
            r'<input type="hidden" name="([^"]*)" value="([^"]*)"', found[0])}


class Browsers:
    def _google_user(self):
        """Without an app, for whose code a page would ask, and without a change that may end the browser's session."""
        return self.person(lambda one: not one.app and one.doubt_until < now() and one.is_sure("subjects", "app") and any(
            provider == "google" for provider, _, _ in one.subjects.values()))

    def _at_google(self, query):
        """A user whom Google signed in, the browser, and the answer to its return; nothing without such a user."""
        person = self._google_user()
        if person is None:
            return None, None, None
        subject, address = next(words[1:] for words in person.subjects.values() if words[0] == "google")
        browser = Browser(self.caller)
        begun = browser.call("browser_begin", "GET", f"/login/google?{urllib.parse.urlencode(query)}")
        if not begun.done or "Location" not in begun.headers:
            return None, None, None
        path = self.deployment.simulator.allow(begun.headers["Location"], subject, address)
        back = browser.call("browser", "GET", path, changes=True)
        if _words(back).get("code") or "__Host-session" in browser.cookies:
            self.record.spend(path, back.request)
        return person, browser, back

    def browser(self):
        """A sign-in in a browser at a provider, and the handover code of an app."""
        verifier = base64.urlsafe_b64encode(self.random.randbytes(32)).decode().rstrip("=")
        digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        person, _, back = self._at_google({
            "client_id": "app", "redirect_uri": _REDIRECT, "state": "s", "code_challenge": digest, "code_challenge_method": "S256"})
        if person is None:
            return
        words = _words(back)
        if not back.done or "code" not in words:
            self.record.note(f"browser: {back.code}")
            return
        form = {"grant_type": "authorization_code", "client_id": "app", "code": words["code"][0], "redirect_uri": _REDIRECT,
                "code_verifier": verifier}
        answer = self.caller.call("handover", "POST", "/v1/token", form, form=True)
        if not answer.done:
            self.record.note(f"handover: {answer.code}")
            return
        self.record.spend(form["code"], answer.request)
        session = self._received(person, answer, "app")
        if self.random.random() < 0.2:
            # The second use of a code ends the session that the first one got.
            session.state = UNKNOWN
            again = self.caller.call("replay_handover", "POST", "/v1/token", form, form=True, changes=False)
            if again.done:
                self.record.spend(form["code"], again.request)
            else:
                session.end()

    def _received(self, person, answer, client):
        """The session that an app or a device fetched."""
        session = Session.of(answer.json, "google", client)
        person.add(session)
        return session

    # Devices

    def device(self):
        """A device shows a code, its user allows it in a browser, and the device fetches its session once."""
        if self._google_user() is None:
            return
        client = self.random.choice((settings.DEVICE_CLIENT, settings.FOREIGN_CLIENT))
        asked = self.caller.call("device_begin", "POST", "/v1/device_authorization", {"client_id": client}, form=True, changes=False)
        if not self.expect(asked, "a device got no code"):
            return
        form = {"grant_type": _GRANT, "client_id": client, "device_code": asked.json["device_code"]}
        if self.random.random() < 0.3:
            early = self.caller.call("device_early", "POST", "/v1/token", form, form=True, changes=False)
            if early.done:
                self.record.violate("owner", f"a device got a session that nobody allowed ({early.request})")
        person, browser, back = self._at_google({"client_id": "app"})
        if person is None:
            return
        if "__Host-session" not in browser.cookies:
            self.record.note(f"device: {back.code}")
        elif client == settings.DEVICE_CLIENT:
            if self._allow(browser, asked.json["user_code"], person):
                self._fetch(person, form)
        elif person.is_sure("grant"):
            with person.change("grant"):
                allowed = self._allow(browser, asked.json["user_code"], person)
            if allowed:
                person.has_grant = True
                self._fetch(person, form)

    def revoke_grant(self):
        """Takes the access of another maker's app back, which ends its sessions."""
        person = self.person(lambda one: one.has_grant and one.is_sure("grant") and one.open())
        session = person and self.random.choice(person.open())
        if session is None or now() - session.refreshed > 540:
            return
        foreign = person.foreign()
        for one in foreign:
            one.state = UNKNOWN
        with person.change("grant"):
            answer = self.caller.call(
                "revoke_grant", "DELETE", f"/v1/account/grants/{settings.FOREIGN_CLIENT}", bearer=session.access)
        if self.expect(answer, f"the access of an app could not be taken back, of {person.account}"):
            person.has_grant = False
            for one in foreign:
                one.end()

    def _allow(self, browser, code, person):
        """Types the code and allows its device; whether that was acknowledged."""
        page = browser.call("device_page", "GET", f"/device?user_code={code}")
        form = Browser.fields(page, "/device")
        if not form:
            self.record.violate("lost", f"the browser of {person.account} is not signed in: {page.status} ({page.request})")
            return False
        question = browser.call("device_code", "POST", "/device", {**form, "user_code": code})
        form = Browser.fields(question, "/device/answer")
        if not form:
            if question.status != 429:
                self.record.violate("lost", f"the code of a device is unknown: {question.status} ({question.request})")
            return False
        answer = browser.call("allow_device", "POST", "/device/answer", {**form, "decision": "allow"}, changes=200)
        if answer.status != 200 and answer.status != 429:
            self.record.violate("lost", f"the answer to a device was refused: {answer.status} ({answer.request})")
        return answer.status == 200

    def _fetch(self, person, form):
        """Fetches the session, sometimes at both gateways at once: one of them may answer with it."""
        def use(caller, kind="fetch_device"):
            answer = caller.call(kind, "POST", "/v1/token", form, form=True)
            if answer.done:
                self.spend(Spent("replay_device", "/v1/token", form, form["device_code"], is_form=True), answer)
                self.world.device_codes.append(form["device_code"])
                self._received(person, answer, form["client_id"])
            return answer
        if self.random.random() < 0.3:
            self.at_both(lambda caller: use(caller, "race_device"))
        else:
            self.expect(use(self.caller), f"a device that {person.account} allowed got no session")
