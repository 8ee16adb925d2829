import Cryptography
import FoundationEssentials
import JSON
import Providers
import TestSupport
import Testing

/// An adapter for tokens, with the data for every common row.
struct ProviderConformance: Sendable, CustomTestStringConvertible {
    let name: String
    /// The credential member that holds the token.
    let member: String
    let issuer: String
    let audience: String
    let keysURL: String
    /// Address and text of the discovery document, if there is one.
    var discovery: (url: String, text: String)?
    /// Claims of a valid token at ``TestClock/now``, without nonce.
    let claims: JSONObject
    /// Claims that make the address verified when present with `true`.
    var emailFlag = "email_verified"
    /// Values of that flag that count as verified.
    var verifyingFlags: [JSON] = [.bool(true)]
    var hashesNonce = false
    let subjectClaim: String
    let realm: String
    let make: @Sendable (Upstream) throws -> any TokenSignIn

    var testDescription: String { name }
}

/// An adapter with a scripted provider that answers correctly, and a clock.
struct Stage {
    let about: ProviderConformance
    let far = FarSide()
    let clock = TestClock()
    let provider: any TokenSignIn

    init(_ about: ProviderConformance) throws {
        self.about = about
        let clock = clock
        let id = try #require(ProviderID(rawValue: "test"))
        let upstream = Upstream(
            transport: far, health: ProviderHealth(provider: id), timeout: .seconds(5), clock: { clock.now })
        provider = try about.make(upstream)
        if let discovery = about.discovery {
            far[discovery.url] = .init { _ in .success(.json(discovery.text)) }
        }
        try publish(TestKeys.usualSet)
    }

    func publish(_ set: String) {
        far[about.keysURL] = .init { _ in .success(.json(set)) }
    }

    func token(
        _ claims: JSONObject = [:], header: JSONObject = [:], signing: TokenMint.Signing = .sound
    ) throws -> String {
        try TokenMint.token(about.claims, replacing: claims, header: header, signing: signing)
    }

    func signIn(
        _ claims: JSONObject = [:], header: JSONObject = [:], signing: TokenMint.Signing = .sound,
        with members: JSONObject = [:], at now: Date = TestClock.now
    ) async throws -> Result<ExternalIdentity, ProviderError> {
        try await post(.string(token(claims, header: header, signing: signing)), with: members, at: now)
    }

    func post(
        _ token: JSON, with members: JSONObject = [:], at now: Date = TestClock.now
    ) async -> Result<ExternalIdentity, ProviderError> {
        var credential = members
        credential[about.member] = token
        do {
            return .success(try await provider.verify(credential, at: now))
        } catch {
            return .failure(error)
        }
    }

    /// Requires that only the issuer's own documents were requested.
    func expectNoStrangersAsked(sourceLocation: SourceLocation = #_sourceLocation) {
        let known = Set([about.keysURL] + [about.discovery?.url].compactMap { $0 })
        #expect(far.calls.allSatisfy { known.contains($0.url) }, sourceLocation: sourceLocation)
    }
}

extension Result where Success == ExternalIdentity, Failure == ProviderError {
    /// The refusal's code, `invalid:<reason>`, or the case's name: one word per answer, for tables.
    var word: String {
        switch self {
        case .success: "ok"
        case .failure(.refused(let refusal)): refusal.rawValue
        case .failure(.invalidRequest(_, let reason, _)): "invalid:" + reason
        case .failure(.unavailable): "unavailable"
        case .failure(.misconfigured): "misconfigured"
        }
    }
}
