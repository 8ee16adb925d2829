"""oidc-agent of Debian as a relying party: the device flow, and the code flow with its own little server.

Usage: oidc_agent_party.py PORT ISSUER CLIENT_ID SECRET
PORT is of the redirect address http://localhost:PORT.
Prints a user code. When the user has allowed it, it prints the claims and the answers that the tokens get, as JSON.
Prints the address of a request, and reads the address with which the browser came back. Prints the same as before.
Prints one more user code, and what oidc-gen says when the user has declined.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

port, issuer, client_id, secret = sys.argv[1:5]
quiet = ["--prompt=none", "--confirm-yes", "--pw-env"]


def run(*command, **more):
    done = subprocess.run(command, text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=120, **more)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout.strip()


def generate(name, flow, *scopes):
    """oidc-gen for a new account. Its input has an Enter for each time that it tires of asking its agent."""
    command = ["oidc-gen", *quiet, f"--flow={flow}", "--no-url-call", "--no-scheme", f"--issuer={issuer}",
               f"--client-id={client_id}", f"--client-secret={secret}", f"--redirect-uri=http://localhost:{port}",
               *(f"--scope={scope}" for scope in scopes), name]
    program = subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", *command], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    program.stdin.write("\n" * 20)
    program.stdin.flush()
    return program


def find(program, start):
    for line in program.stdout:
        if line.startswith(start):
            return line.removeprefix(start).strip()
    sys.exit(f"oidc-gen has ended with {program.wait()}.")


def ended(program):
    """The status of oidc-gen, and what it said last."""
    words = program.stdout.read()
    return program.wait(), words


def ask(address, token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=30) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.read()


def show(name):
    """Prints the claims and the answers that the tokens of an account get, then removes the account."""
    token = run("oidc-token", name)
    info = json.loads(ask(f"{issuer}/userinfo", token)[1])
    payload = run("oidc-token", "--id-token", name).split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(payload + "==="))
    renewed = run("oidc-token", "--force-new", name)
    run("oidc-gen", *quiet, "--delete", name)
    print(json.dumps({
        "claims": claims, "info": info, "refreshed": renewed != token,
        "after": ask(f"{issuer}/userinfo", renewed)[0]}), flush=True)


def main():
    program = generate("device", "device", "openid", "email", "offline_access")
    print(find(program, "And enter the code: "), flush=True)
    status, words = ended(program)
    assert status == 0, words
    show("device")

    program = generate("code", "code", "max")
    print("http" + find(program, "http"), flush=True)
    answer = sys.stdin.readline().strip()
    status, page = ask(answer.replace("state=0", "state=1"))
    assert b"Success" not in page, (status, page)
    ask(answer)
    status, words = ended(program)
    assert status == 0, words
    show("code")

    program = generate("declined", "device", "openid")
    print(find(program, "And enter the code: "), flush=True)
    status, words = ended(program)
    assert status != 0
    print(*(line for line in words.splitlines() if line.startswith("Error")), flush=True)


with tempfile.TemporaryDirectory() as folder:
    os.environ.update(
        {"HOME": folder, "OIDC_CONFIG_DIR": folder, "OIDC_SOCK": folder + "/agent", "OIDC_ENCRYPTION_PW": "a password"})
    agent = subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", "oidc-agent", "--console", "--always-allow-idtoken", "--quiet",
         f"--socket-path={folder}/agent"], stdout=subprocess.DEVNULL)
    try:
        while not os.path.exists(folder + "/agent"):
            if agent.poll() is not None:
                sys.exit("oidc-agent has ended.")
            time.sleep(0.05)
        main()
    finally:
        agent.terminate()
        agent.wait()
