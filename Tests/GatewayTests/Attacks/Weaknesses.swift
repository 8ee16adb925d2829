import Cryptography
import Foundation
import JSON

extension Weakness {
    /// The weakness that each attack must find, by the attack's title.
    static let all: [String: Weakness] =
        tokens.merging(headers) { $1 }.merging(cookies) { $1 }.merging(callbacks) { $1 }.merging(smuggling) { $1 }
        .merging(doors) { $1 }.merging(openID) { $1 }.merging(enumeration) { $1 }.merging(throttles) { $1 }

    private static let tokens = [
        "an access token without a signature, in every spelling of alg none":
            accepting { $0["alg"]?.string?.lowercased() == "none" },
        "an access token with a published key as its HMAC secret": accepting { $0["alg"] == "HS256" },
        "an access token with its own key, key address or path as key id": accepting { $0["jwk"] != nil },
        "an ID token instead of an access token": accepting { $0["typ"] != "at+jwt" },
        "an app's access token at the administration, also with another audience":
            asking { if $0.path == "/admin/api/v1/me" { $0.path = "/v1/session" } },
        "the tokens of a session after its sign-out": instead { $0.path == "/v1/sign-out" ? Reply(204) : nil },
        "a spent refresh token after the next one was spent": Weakness { passage in
            var changed = passage
            if passage.path == "/v1/token/refresh", let newest = passage.memory["refresh"] {
                changed.body = #"{"refresh_token":"\#(newest)"}"#
            }
            let reply = try await changed.forwardChanged()
            if let token = reply.body.firstMatch(of: /"refresh_token":"([^"]+)"/) {
                passage.memory["refresh"] = String(token.output.1)
            }
            return reply
        },
    ]

    private static let headers = [
        "a page in a frame, or with a script of its own":
            answering { $1.setHeader("Content-Security-Policy", nil) },
        "a page in a window, embedding or guessed type of another site":
            answering { $1.setHeader("Cross-Origin-Opener-Policy", nil) },
        "a forged host in Host, X-Forwarded-Host or Forwarded": answering { passage, reply in
            guard let host = passage.header("X-Forwarded-Host") else { return }
            reply.body = reply.body.replacing("localhost:8080", with: host)
        },
        "the length of a compressed page with a form token": answering { passage, reply in
            if passage.header("Accept-Encoding") != nil { reply.setHeader("Content-Encoding", "gzip") }
        },
        "a secret as the request id": answering { $1.setHeader("X-Request-Id", $0.header("X-Request-Id")) },
    ]

    private static let cookies = [
        "a cookie that leaks to another site, host or script": answering { _, reply in
            reply.headers = reply.headers.map { ($0.name, $0.value.replacing("; Secure", with: "")) }
        },
        "a session cookie from before the sign-in": answering { passage, reply in
            guard let planted = passage.header("Cookie")?.firstMatch(of: /__Host-session=[^;]+/)?.output else { return }
            reply.headers = reply.headers.map { ($0.name, $0.value.replacing(/__Host-session=[^;]+/, with: planted)) }
        },
        "a sign-in form of another site": Weakness { passage in
            var changed = passage
            if passage.method == "POST", let token = passage.memory["token"] {
                changed.setHeader("Cookie", passage.memory["cookie"])
                changed.setField("form_token", token)
                return try await changed.forwardChanged()
            }
            let reply = try await passage.forward()
            if let token = reply.body.firstMatch(of: /name="form_token" value="([^"]+)"/) {
                let cookie = reply.headers.first { $0.value.hasPrefix("__Host-form=") }?.value
                passage.memory["cookie"] = cookie.map { String($0.prefix { $0 != ";" }) }
                passage.memory["token"] = String(token.output.1)
            }
            return reply
        },
    ]

    private static let callbacks = [
        "a callback that no sign-in began": answering { passage, reply in
            guard passage.path.hasSuffix("/callback"), reply.status == 400 else { return }
            reply = Reply(303, headers: [("Location", AttackedApp.redirectURI + "?code=x")])
        },
        "the state of another browser": Weakness { passage in
            var changed = passage
            let known = passage.memory["flows"] ?? ""
            if passage.path.hasSuffix("/callback") { changed.setHeader("Cookie", known) }
            let reply = try await changed.forwardChanged()
            let flows = reply.headers.map(\.value).filter { $0.hasPrefix("__Host-flow-") && !$0.contains("=;") }
            passage.memory["flows"] = ([known] + flows.map { String($0.prefix { $0 != ";" }) }).joined(separator: "; ")
            return reply
        },
        "the answer of another provider": asking { passage in
            let place = passage.path.split(separator: "/")
            guard place.first == "login", place.count >= 2 else { return }
            if place.count == 2 { passage.memory["provider"] = String(place[1]) }
            guard place.count == 3, let provider = passage.memory["provider"] else { return }
            passage.path = "/login/\(provider)/callback"
            passage.setParameter("iss", nil)
        },
        "markup in the error of a provider": answering { passage, reply in
            reply.body += passage.parameter("error_description")?.removingPercentEncoding ?? ""
        },
        "a callback that a prefetch or a HEAD spends": asking { passage in
            if passage.method == "HEAD" { passage.method = "GET" }
            passage.setHeader("Sec-Purpose", nil)
        },
        "a sign-in that leads to an address of the attacker": instead { passage in
            guard let address = passage.parameter("return_to") else { return nil }
            return Reply(303, headers: [("Location", address.removingPercentEncoding ?? "")])
        },
    ]

    private static let smuggling = [
        "two lengths of one body": instead { _ in
            var reply = Reply(400)
            reply.copies = 2
            return reply
        },
        "transfer codings that only one server knows": instead { _ in Reply(200) },
        "sizes of chunks that only one server can read": instead { _ in Reply(200) },
        "a header with a bare line end, a fold, a NUL or a second host":
            instead { $0.headers.contains { $0.value == "evil.example" } ? Reply(200) : nil },
        "a head, an address or a body beyond every limit": instead { $0.method == "POST" ? Reply(200) : nil },
    ]

    private static let doors = [
        "the administration without a key, or with a guessed one":
            asking { if $0.path == "/admin/api/v1/audit" { $0.path = "/health/live" } },
        "the metrics at the public address": asking { if $0.path == "/metrics" { $0.path = "/health/live" } },
        "a script of another site, with the cookies of a browser": answering { passage, reply in
            guard passage.path == "/v1/account", let origin = passage.header("Origin") else { return }
            reply.setHeader("Access-Control-Allow-Origin", origin)
        },
        "malformed bodies at every protocol": answering { passage, reply in
            if passage.path == "/v1/token", reply.status == 400 { reply.status = 500 }
        },
        "introspection without the secret of the client":
            answering { if $0.path == "/v1/token/introspect" { $1 = Reply(200, #"{"active":false}"#) } },
    ]

    private static let openID = [
        "redirect addresses that resemble the registered one": asking { passage in
            if passage.path == "/authorize" { passage.setParameter("redirect_uri", AttackedApp.encodedRedirectURI) }
        },
        "a request without a proof key, or with a plain one": asking(ownProofKey),
        "a code with another verifier, or with none": asking { passage in
            ownProofKey(&passage)
            if passage.path == "/v1/token" { passage.setField("code_verifier", verifier) }
        },
        "a code that is used twice": Weakness { passage in
            guard passage.path == "/v1/token" else { return try await passage.forward() }
            if let earlier = passage.memory[passage.field("code") ?? ""] { return Reply(200, earlier) }
            let reply = try await passage.forward()
            if reply.status == 200 { passage.memory[passage.field("code") ?? ""] = reply.body }
            return reply
        },
        "a silent request that shows a page, or posts markup":
            asking { if $0.path == "/authorize" { $0.setParameter("prompt", nil) } },
        "the implicit and hybrid grants":
            asking { if $0.path == "/authorize" { $0.setParameter("response_type", "code") } },
        "the password grant":
            instead { $0.field("grant_type") == "password" ? Reply(200, #"{"access_token":"x"}"#) : nil },
        "guessed references of stored requests": instead { passage in
            guard passage.parameter("request_uri") != nil else { return nil }
            return Reply(303, headers: [("Location", AttackedApp.redirectURI + "?code=x")])
        },
        "a sign-out that leads to the attacker": instead { passage in
            passage.parameter("post_logout_redirect_uri").map { address in
                Reply(303, headers: [("Location", address.removingPercentEncoding ?? "")])
            }
        },
    ]

    private static let verifier = PKCE.verifier()

    /// Replaces every proof key by the stand-in's own.
    private static let ownProofKey: @Sendable (inout Passage) -> Void = { passage in
        guard passage.path == "/authorize" else { return }
        passage.setParameter("code_challenge", PKCE.challenge(verifier))
        passage.setParameter("code_challenge_method", "S256")
    }

    private static let enumeration = [
        "a wrong password for a known and an unknown address": answering { passage, reply in
            guard isUnknown(passage) else { return }
            reply.body = reply.body.replacing("invalid_credentials", with: "user_unknown")
        },
        "a reset for a known and an unknown address": answering { passage, reply in
            if passage.path == "/v1/password/forgot", isUnknown(passage) { reply = Reply(404) }
        },
        "a sign-up with a known and an unknown address": answering { passage, reply in
            if passage.path == "/v1/sign-up", !isUnknown(passage) { reply.status = 409 }
        },
        "the time of a wrong password for a known and an unknown address": Weakness { passage in
            // The delay is the weakness itself: longer than what a busy machine adds.
            if passage.path == "/v1/sign-in", !isUnknown(passage) { try await Task.sleep(for: .seconds(1)) }
            return try await passage.forward()
        },
    ]

    private static func isUnknown(_ passage: Passage) -> Bool { passage.body.contains("@gateway-attack.invalid") }

    private static let throttles = [
        "guesses at the password of one name": asking { passage in
            guard passage.path == "/v1/sign-in" else { return }
            let count = (passage.memory["count"].flatMap { Int($0) } ?? 0) + 1
            passage.memory["count"] = "\(count)"
            passage.body = passage.body.replacing("\"username\":\"", with: "\"username\":\"n\(count)")
        },
        "guesses at the password of one name in several spellings":
            asking { $0.body = $0.body.replacing(/"username":"X/, with: "\"username\":\"Y") },
        "guesses at a mailed code": answering { $1.body = $1.body.replacing("too_many_tries", with: "code_wrong") },
    ]
}
