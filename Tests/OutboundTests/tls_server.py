"""A small server with TLS for tests: SMTP with STARTTLS, SMTP over TLS, or HTTPS. Standard library only.

Prints its port on the first line, then one JSON line for each thing that happened. Ends when its input ends.
"""

import argparse
import base64
import json
import os
import socketserver
import ssl
import sys
import threading

options = None
context = None


output = threading.Lock()


def report(**facts):
    with output:
        sys.stdout.write(json.dumps(facts) + "\n")
        sys.stdout.flush()


scripting = threading.Lock()


def scripted(stage):
    """What the script says first, if it is about this stage: `RCPT 451 later`, `MESSAGE drop` or `GREETING hang`."""
    if not options.script:
        return None
    with scripting:
        with open(options.script) as file:
            lines = file.read().splitlines()
        if not lines or lines[0].split(" ", 1)[0] != stage:
            return None
        with open(options.script + ".new", "w") as file:
            file.writelines(line + "\n" for line in lines[1:])
        os.replace(options.script + ".new", options.script)
    return lines[0].split(" ", 1)[1]


class SMTPHandler(socketserver.BaseRequestHandler):
    def answer(self, stage, usual):
        text = scripted(stage) or usual
        if text == "drop":
            raise EOFError
        if text == "hang":
            threading.Event().wait()
        self.say(text)
        return text[0] in "23"

    def say(self, text):
        self.request.sendall(text.encode() + b"\r\n")

    def line(self):
        data = b""
        while not data.endswith(b"\r\n"):
            byte = self.request.recv(1)
            if not byte:
                raise EOFError
            data += byte
        return data[:-2].decode("latin-1")

    def encrypt(self):
        self.request = context.wrap_socket(self.request, server_side=True)

    def handle(self):
        try:
            if options.mode == "smtps":
                self.encrypt()
            self.converse(options.mode == "smtps")
        except (EOFError, OSError):
            report(event="closed")

    def converse(self, encrypted):
        user = None
        self.answer("GREETING", "220 test")
        while True:
            line = self.line()
            verb = line.split(" ")[0].upper()
            report(event="command", verb=verb, encrypted=encrypted)
            if verb == "EHLO":
                lines = ["test", "8BITMIME"]
                if options.mode == "starttls" and not encrypted:
                    lines.append("STARTTLS")
                if options.user and encrypted:
                    lines.append("AUTH " + options.mechanism)
                self.say("\r\n".join("250-" + text for text in lines[:-1]) + "\r\n250 " + lines[-1])
            elif verb == "STARTTLS" and not encrypted:
                self.say("220 go")
                self.encrypt()
                encrypted = True
            elif verb == "AUTH":
                user = self.authenticate(line)
                self.say("235 welcome" if user else "535 no")
            elif verb == "MAIL":
                allowed = encrypted and (user or not options.user)
                self.say("250 fine" if allowed else "530 no")
                sender = line
            elif verb == "RCPT":
                self.answer("RCPT", "250 fine")
                recipient = line
            elif verb == "DATA":
                if not self.answer("DATA", "354 go on"):
                    continue
                lines = []
                while (text := self.line()) != ".":
                    lines.append(text[1:] if text.startswith(".") else text)
                report(event="mail", sender=sender, recipient=recipient, user=user, lines=lines, encrypted=encrypted)
                self.answer("MESSAGE", "250 taken")
            elif verb == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("500 what?")

    def authenticate(self, line):
        words = line.split(" ")
        if words[1] == "PLAIN":
            if len(words) < 3:
                self.say("334 ")
                words.append(self.line())
            _, user, password = base64.b64decode(words[2]).decode().split("\0")
        else:
            self.say("334 VXNlcm5hbWU6")
            user = base64.b64decode(self.line()).decode()
            self.say("334 UGFzc3dvcmQ6")
            password = base64.b64decode(self.line()).decode()
        return user if user + ":" + password == options.user else None


class HTTPSHandler(socketserver.BaseRequestHandler):
    def handle(self):
        try:
            connection = context.wrap_socket(self.request, server_side=True)
            data = b""
            while True:
                while b"\r\n\r\n" not in data:
                    piece = connection.recv(4096)
                    if not piece:
                        return
                    data += piece
                data = data.split(b"\r\n\r\n", 1)[1]
                report(event="request", version=connection.version())
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        except OSError:
            report(event="closed")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, request, client_address):
        report(event="error")


def main():
    global options, context
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["smtps", "starttls", "https"], required=True)
    parser.add_argument("--certificate", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--user", help="name:password")
    parser.add_argument("--mechanism", default="PLAIN LOGIN")
    parser.add_argument("--script", help="a file of answers, one a line, each good once")
    parser.add_argument("--maximum-version", choices=["TLSv1_1", "TLSv1_2", "TLSv1_3"], default="TLSv1_3")
    options = parser.parse_args()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if options.maximum_version == "TLSv1_1":
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = ssl.TLSVersion[options.maximum_version]
    context.load_cert_chain(options.certificate, options.key)
    server = Server(("127.0.0.1", 0), HTTPSHandler if options.mode == "https" else SMTPHandler)
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


main()
