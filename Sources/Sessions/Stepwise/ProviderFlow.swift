import Cryptography
import Foundation
import JSON
import Providers

/// A sign-in that a provider leads: what is kept of it between two answers.
///
/// What the provider said is sealed: whoever holds it could go on with the sign-in there.
///
/// Version 1 of the stored form, or 2 where a session stands beside it: a server of the version before, which knows
/// nothing of one, would make an account.
struct ProviderFlow: Sendable {
    let provider: String
    let username: String
    var step: ProviderStep
    /// The provider's own, opaque.
    var state: JSON
    let linkFlow: UUID?
    /// The session that stood beside its beginning.
    let beside: SessionBeside?
    /// The hash of the password that is to be kept here once the provider has taken it.
    var migratingHash: String?

    private static let purpose = "provider flow"

    /// - Parameter bucket: where the next answer is counted.
    func json(_ box: SealedBox, _ flow: UUID, guessing bucket: [UInt8]) -> JSON {
        var secret: JSONObject = ["state": state, "username": .string(username), "step": step.json]
        secret["hash"] = migratingHash.map(JSON.string)
        secret["beside"] = beside.map(\.json)
        let sealed = box.seal(Array(JSON.object(secret).text.utf8), purpose: "\(Self.purpose) \(flow.text)")
        var object: JSONObject = [
            "version": .integer(beside == nil ? 1 : 2), "provider": .string(provider),
            "guess_bucket": .string(Hex.encode(bucket)), "sealed": .string(Data(sealed).base64EncodedString()),
        ]
        object["link_flow"] = linkFlow.map { .string($0.text) }
        return .object(object)
    }

    /// Nil for what this version can't read, or was sealed under a key that is gone.
    static func read(_ json: JSON, _ box: SealedBox, _ flow: UUID) -> ProviderFlow? {
        guard let version = json["version"]?.integer, (1...2).contains(version),
            let provider = json["provider"]?.string,
            let sealed = json["sealed"]?.string.flatMap({ Data(base64Encoded: $0) }),
            let plain = try? box.open(Array(sealed), purpose: "\(purpose) \(flow.text)"),
            let secret = try? JSON(parsing: plain, limits: .provider), let state = secret["state"],
            let username = secret["username"]?.string, let step = secret["step"].flatMap(ProviderStep.init)
        else { return nil }
        let beside = secret["beside"].flatMap { SessionBeside($0) }
        // Without its session it would end as if nobody had asked.
        guard version == 1 || beside != nil else { return nil }
        return ProviderFlow(
            provider: provider, username: username, step: step, state: state,
            linkFlow: json["link_flow"]?.string.flatMap(UUID.init(text:)), beside: beside,
            migratingHash: secret["hash"]?.string)
    }
}
