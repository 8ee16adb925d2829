import Foundation
import Testing

@testable import GatewayClient

@Suite("A sign-in in the browser")
struct BrowserTests {
    static let redirect = "com.example.app:/signed-in"

    private func begin(_ rehearsal: Rehearsal) throws -> (BrowserSignIn, [String: String]) {
        let signIn = try rehearsal.client.browserSignIn(redirectURI: Self.redirect, hasher: OpenSSL())
        let items = URLComponents(url: signIn.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return (signIn, Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 })
    }

    private func callback(_ query: String) throws -> URL { try #require(URL(string: "\(Self.redirect)?\(query)")) }

    @Test("The challenge is that of RFC 7636, appendix B")
    func challenge() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let digest = OpenSSL().sha256(Data(verifier.utf8))
        #expect(Base64URL.encode(digest) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("Apple's nonce is the SHA-256 in lower-case hexadecimal")
    func nonce() {
        // FIPS 180-4's example of one block.
        let hash = Nonce(value: Secret("abc")).hashed(by: OpenSSL())
        #expect(hash == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test("The code is redeemed with the verifier of the challenge, and the session is stored")
    func redeemed() async throws {
        let rehearsal = try Rehearsal(
            .answer(
                200,
                [
                    "access_token": "access-1", "token_type": "Bearer", "expires_in": 600, "refresh_token": "refresh-1",
                    "refresh_expires_in": 2_592_000, "session_id": .string(Sample.sessionID),
                ]),
            .answer(
                200,
                [
                    "account": Sample.account,
                    "session": [
                        "id": .string(Sample.sessionID), "client_id": "app", "provider": "google",
                        "auth_time": "2026-11-21T13:14:19Z", "amr": ["fed"], "acr": "1",
                        "created_at": "2026-11-21T13:14:19Z", "expires_at": "2027-02-19T13:14:19Z",
                    ],
                ]))
        let (signIn, sent) = try begin(rehearsal)
        #expect(signIn.url.path == "/login")
        let session = try await signIn.finish(
            try callback("code=hc_1&iss=https%3A%2F%2Flogin.example.com&state=\(sent["state"] ?? "")"))
        #expect(session.id == Sample.sessionID)
        let form = try #require(await rehearsal.transport.received.first?.form)
        let fields = Dictionary(
            form.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding ?? "" }
                return (parts[0], parts[1])
            }
        ) { $1 }
        #expect(fields["grant_type"] == "authorization_code")
        #expect(fields["redirect_uri"] == Self.redirect)
        let verifier = try #require(fields["code_verifier"])
        #expect(Base64URL.encode(OpenSSL().sha256(Data(verifier.utf8))) == sent["code_challenge"])
        #expect(try await rehearsal.client.session()?.id == Sample.sessionID)
    }

    @Test(
        "An answer of another sign-in or another server is refused without a request",
        arguments: [
            "code=hc_1&iss=https%3A%2F%2Flogin.example.com&state=other", "code=hc_1&state=STATE",
            "code=hc_1&iss=https%3A%2F%2Fevil.example.com&state=STATE",
            "iss=https%3A%2F%2Flogin.example.com&state=STATE",
        ])
    func foreign(_ query: String) async throws {
        let rehearsal = try Rehearsal()
        let (signIn, sent) = try begin(rehearsal)
        let url = try callback(query.replacingOccurrences(of: "STATE", with: sent["state"] ?? ""))
        await #expect { try await signIn.finish(url) } throws: { error in
            if case GatewayError.browser(.foreignAnswer) = error { true } else { false }
        }
        #expect(await rehearsal.transport.received.isEmpty)
    }

    @Test("A refusal of the pages is thrown")
    func refused() async throws {
        let (signIn, sent) = try begin(try Rehearsal())
        let url = try callback("error=access_denied&iss=https%3A%2F%2Flogin.example.com&state=\(sent["state"] ?? "")")
        await #expect { try await signIn.finish(url) } throws: { error in
            if case GatewayError.browser(.refused(let name, nil)) = error { name == "access_denied" } else { false }
        }
    }

    @Test("A step that leads to the browser keeps its own parameters beside ours")
    func continued() async throws {
        let rehearsal = try Rehearsal()
        guard case .continueInBrowser(let visit) = try await EveryStep.step(.continueInBrowser, rehearsal) else {
            throw ScriptFailure("another step")
        }
        let signIn = try rehearsal.client.browserSignIn(
            continuing: visit, redirectURI: Self.redirect, hasher: OpenSSL())
        let items = URLComponents(url: signIn.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        #expect(signIn.url.path == "/login/microsoft")
        #expect(items.filter { $0.name == "client_id" }.map(\.value) == ["app"])
        #expect(items.contains { $0.name == "redirect_uri" && $0.value == Self.redirect })
    }

    @Test("A step leads to pages of the gateway only")
    func foreignStep() async throws {
        let elsewhere: [String: JSONValue] = ["url": "https://evil.example.com/login/microsoft"]
        let rehearsal = try Rehearsal(.answer(200, Sample.step("continue_in_browser", elsewhere)))
        guard case .next(.continueInBrowser(let visit)) = try await rehearsal.client.signIn(.username("ann")) else {
            throw ScriptFailure("another step")
        }
        #expect(throws: GatewayError.self) {
            try rehearsal.client.browserSignIn(continuing: visit, redirectURI: Self.redirect, hasher: OpenSSL())
        }
    }

    @Test("Each sign-in has a state and a verifier of its own")
    func fresh() throws {
        let rehearsal = try Rehearsal()
        let (one, other) = (try begin(rehearsal).0, try begin(rehearsal).0)
        #expect(one.state != other.state)
        #expect(one.verifier != other.verifier)
        #expect(one.verifier.value.count == 43)
    }
}
