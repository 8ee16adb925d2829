import Foundation
import Testing

@testable import GatewayClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Proofs of possession (DPoP, RFC 9449)")
struct ProofTests {
    private static let devices: JSONValue = ["devices": []]

    private static func wantsNonce(_ nonce: String, _ status: Int = 400) -> ScriptedTransport.Reply {
        .answer(status, Sample.problem("use_dpop_nonce", status), ["DPoP-Nonce": nonce])
    }

    private static func hash(_ text: String) -> JSONValue {
        .string(Base64URL.encode(OpenSSL().sha256(Data(text.utf8))))
    }

    @Test("The thumbprint is that of RFC 9449 section 6.1")
    func thumbprint() throws {
        let x = try #require(Base64URL.decode("l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs"))
        let y = try #require(Base64URL.decode("9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA"))
        let thumbprint = try ShownKey(point: x + y).thumbprint(by: OpenSSL())
        #expect(thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    @Test("The hash of a token is that of RFC 9449 section 7.1; the address has no query")
    func claims() async throws {
        let storage = SessionStorage(store: MemoryTokenStore(), scope: "a")
        let prover = Prover(signer: OpenSSL(), storage: storage, time: ManualClock().source)
        let url = try #require(URL(string: "https://resource.example.org/a%2Fb?c=d#e"))
        let token = Secret("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")
        let proof = try ReadProof(try await prover.proof(for: "GET", url, token: token))
        #expect(proof.claims["ath"] == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
        #expect(proof.claims["htu"] == "https://resource.example.org/a%2Fb")
        let origin = try #require(URL(string: "https://resource.example.org"))
        let other = try ReadProof(try await prover.proof(for: "GET", origin, token: nil))
        #expect(other.claims["htu"] == "https://resource.example.org/")
    }

    @Test("A sign-in carries a proof of its request, without a token")
    func signIn() async throws {
        let rehearsal = try Rehearsal.proving()
        _ = try await rehearsal.signedInBound()
        let sent = try #require(await rehearsal.transport.received.first)
        let proof = try #require(try sent.proof())
        #expect(sent.bearer == nil)
        #expect(proof.header["typ"] == "dpop+jwt")
        #expect(proof.header["alg"] == "ES256")
        guard case .object(let jwk) = proof.key else { throw ScriptFailure("no key") }
        #expect(jwk.keys.sorted() == ["crv", "kty", "x", "y"])
        #expect(proof.number.flatMap(Base64URL.decode)?.count ?? 0 >= 12)
        var claims = proof.claims
        claims["jti"] = nil
        let time = Int(rehearsal.clock.now.timeIntervalSince1970)
        let expected: [String: JSONValue] = [
            "htm": "POST", "htu": "https://login.example.com/v1/sign-in", "iat": .number(Double(time)),
        ]
        #expect(claims == expected)
    }

    @Test("A bound token is sent under DPoP with its hash, and each proof is new")
    func bound() async throws {
        let rehearsal = try Rehearsal.proving()
        let session = try await rehearsal.signedInBound()
        await rehearsal.transport.add(.answer(200, Self.devices), .answer(200, Self.devices))
        for _ in 0..<2 { _ = try await session.devices() }
        let proofs = try await rehearsal.proofs(3)
        #expect(await rehearsal.transport.received.dropFirst().map(\.bearer) == ["DPoP access-1", "DPoP access-1"])
        #expect(proofs.dropFirst().map { $0.claims["ath"] } == [Self.hash("access-1"), Self.hash("access-1")])
        #expect(proofs[1].claims["htm"] == "GET")
        #expect(Set(proofs.map(\.number)).count == 3)
        #expect(Set(proofs.map(\.key)).count == 1)
    }

    @Test("The scheme follows the type: a gateway without DPoP goes on with Bearer", arguments: ["Bearer", nil])
    func scheme(_ type: JSONValue) async throws {
        let rehearsal = try Rehearsal.proving()
        let session = try await rehearsal.signedIn(Sample.tokens(1, type: type))
        await rehearsal.transport.add(
            .answer(200, Self.devices), .answer(200, Sample.refreshed(2, type: "DPoP")), .answer(200, Self.devices))
        _ = try await session.devices()
        rehearsal.clock.advance(700)
        _ = try await session.devices()
        let sent = await rehearsal.transport.received
        #expect(sent.map(\.bearer) == [nil, "Bearer access-1", nil, "DPoP access-2"])
        #expect(sent.map { $0.proofText != nil } == [true, false, true, true])
    }

    @Test("A refresh is proved by the key of the session, each try with a proof of its own")
    func refresh() async throws {
        let rehearsal = try Rehearsal.proving()
        let session = try await rehearsal.signedInBound()
        rehearsal.clock.advance(700)
        await rehearsal.transport.add(.lost, .answer(200, Sample.refreshed(2, type: "DPoP")))
        #expect(try await session.accessToken() == "access-2")
        let proofs = try await rehearsal.proofs(3)
        #expect(Set(proofs.map(\.key)).count == 1)
        #expect(Set(proofs.map(\.number)).count == 3)
        #expect(proofs[2].claims["htu"] == "https://login.example.com/v1/token/refresh")
        #expect(proofs[2].claims["ath"] == nil)
    }

    @Test("A call is repeated once with the nonce that is asked for, and later proofs have the newest one")
    func nonce() async throws {
        let rehearsal = try Rehearsal.proving()
        await rehearsal.transport.add(Self.wantsNonce("n1"))
        let session = try await rehearsal.signedInBound()
        await rehearsal.transport.add(
            Self.wantsNonce("n2", 401), .answer(200, Self.devices, ["DPoP-Nonce": "n3"]), .answer(200, Self.devices))
        for _ in 0..<2 { _ = try await session.devices() }
        let proofs = try await rehearsal.proofs(5)
        #expect(proofs.map(\.nonce) == [nil, "n1", "n1", "n2", "n3"])
        #expect(Set(proofs.map(\.number)).count == 5)
    }

    @Test("A second demand for a nonce is an error, and so is one without a nonce")
    func twice() async throws {
        let replies: [[ScriptedTransport.Reply]] = [
            [Self.wantsNonce("n1"), Self.wantsNonce("n2")], [.answer(400, Sample.problem("use_dpop_nonce", 400))],
        ]
        for script in replies {
            let rehearsal = try Rehearsal.proving()
            for reply in script { await rehearsal.transport.add(reply) }
            await #expect { try await rehearsal.client.signIn(.username("ann")) } throws: {
                ($0 as? GatewayError)?.code == .useDPoPNonce
            }
            #expect(await rehearsal.transport.received.count == script.count)
        }
    }

    @Test("A refused proof is an ordinary error: no repeat, and the session stays")
    func refused() async throws {
        let rehearsal = try Rehearsal.proving()
        let session = try await rehearsal.signedInBound()
        await rehearsal.transport.add(.answer(401, Sample.problem("invalid_dpop_proof", 401)))
        await #expect { try await session.devices() } throws: { ($0 as? GatewayError)?.code == .invalidDPoPProof }
        #expect(await rehearsal.transport.received.count == 2)
        #expect(try await rehearsal.client.session() === session)
    }

    @Test("Without the option, and in calls that bring no session, nothing is proved")
    func off() async throws {
        let plain = try Rehearsal()
        _ = try await plain.signedIn()
        let proving = try Rehearsal.proving()
        await proving.transport.add(.answer(200, ["nonce": "n", "expires_in": 600]))
        _ = try await proving.client.nonce()
        for rehearsal in [plain, proving] { #expect(await rehearsal.transport.received.map(\.proofText) == [nil]) }
    }
}
