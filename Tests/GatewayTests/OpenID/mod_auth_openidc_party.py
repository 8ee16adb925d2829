"""Apache with mod_auth_openidc as a relying party, and a browser at it: mod_auth_openidc.conf is its configuration.

Usage: mod_auth_openidc_party.py PORT ISSUER CLIENT_ID SECRET [DEFINE]
Apache listens on localhost:PORT. DEFINE turns a part of the configuration on, such as pkce.
Three times it prints the address of a request, and reads the address with which the browser came back. It gives Apache
the first answer with another issuer, the second one with another state, and the third one as it is.
Then it prints what Apache knows, as JSON, and the address of the sign-out, and reads the address after that.
Then it prints a request of another browser, reads the answer, and prints "in" when that browser is in. It prints "out"
when Apache has ended its session.
"""

import http.cookiejar
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

port, issuer, client_id, secret = sys.argv[1:5]
home = f"http://localhost:{port}"
protected, callback = home + "/app/page.html", home + "/openid/callback"


class Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirection: the test does."""

    def redirect_request(self, *_):
        return None


class Browser:
    def __init__(self):
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(Stay, jar, urllib.request.ProxyHandler({}))
        # What accepts no page gets 401 from the module instead of a redirection.
        self.opener.addheaders = [("Accept", "text/html")]

    def get(self, address):
        try:
            return self.opener.open(address, timeout=30)
        except urllib.error.HTTPError as answer:
            return answer

    def ask(self):
        """Asks for the page, prints where Apache sends the browser, and returns the answer of the gateway."""
        print(self.get(protected).headers["Location"], flush=True)
        return sys.stdin.readline().strip()


def start(folder):
    os.chmod(folder, 0o755)
    os.makedirs(folder + "/pages/app")
    for name in ["app/page.html", "bye.html"]:
        with open(f"{folder}/pages/{name}", "w", encoding="utf-8") as page:
            page.write("A page.\n")
    # Apache's children end with their parent, and that ends with this program.
    command = ["setpriv", "--pdeathsig", "TERM", "/usr/sbin/apache2", "-D", "FOREGROUND", "-d", folder, "-f",
               os.path.join(os.path.dirname(os.path.abspath(__file__)), "mod_auth_openidc.conf")]
    for name in (["root"] if os.geteuid() == 0 else []) + sys.argv[5:]:
        command += ["-D", name]
    environment = {
        "PATH": os.environ["PATH"], "FOLDER": folder, "MODULES": "/usr/lib/apache2/modules", "PORT": port,
        "ISSUER": issuer, "CLIENT_ID": client_id, "CLIENT_SECRET": secret, "PASSPHRASE": secrets.token_hex(16)}
    apache = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL)
    while True:
        try:
            Browser().get(home + "/")
            return apache
        except OSError:
            if apache.poll() is not None:
                sys.exit("Apache has ended.")
            time.sleep(0.05)


def main():
    browser = Browser()
    for change in [("iss=http", "iss=https"), ("state=", "state=A")]:
        browser.get(browser.ask().replace(*change))
        assert browser.get(protected).status == 302, change
    back = browser.get(browser.ask())
    page = browser.get(back.headers["Location"])
    hook = callback + "?info=json"
    first = json.load(browser.get(hook))
    refreshed = browser.get(f"{callback}?refresh={protected}&access_token={first['access_token']}")
    second = json.load(browser.get(hook))
    print(json.dumps({
        "page": page.status, "user": page.headers["X-User"], "email": page.headers["X-Email"],
        "claims": first["id_token"], "info": first["userinfo"],
        "refreshed": "error_code" not in refreshed.headers["Location"]
        and first["access_token"] != second["access_token"]}), flush=True)

    print(browser.get(f"{callback}?logout={home}/bye.html").headers["Location"], flush=True)
    assert browser.get(sys.stdin.readline().strip()).status == 200
    assert browser.get(protected).status == 302, "signed out"

    other = Browser()
    other.get(other.ask())
    assert other.get(protected).status == 200
    print("in", flush=True)
    while other.get(protected).status == 200:
        time.sleep(0.1)
    print("out", flush=True)


with tempfile.TemporaryDirectory() as temporary:
    server = start(temporary)
    try:
        main()
    finally:
        server.terminate()
        server.wait()
