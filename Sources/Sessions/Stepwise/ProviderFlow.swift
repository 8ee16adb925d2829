import Cryptography
import Foundation
import JSON
import Providers

/// A pending sign-in that a provider leads.
///
/// The provider's state is sealed: its holder could continue the sign-in there.
///
/// Version 1 of the stored form, or 2 with an accompanying session: a server that does not know version 2 would create
/// an account instead of linking.
struct ProviderFlow: Sendable {
    let provider: String
    let username: String
    var step: ProviderStep
    /// The provider's own, opaque.
    var state: JSON
    let linkFlow: UUID?
    /// The accompanying session of the first call.
    let accompanying: AccompanyingSession?
    /// The hash of the password to keep, once the provider accepts the password.
    var migratingHash: String?

    private static let purpose = "provider flow"

    /// - Parameter bucket: the bucket that the next answer is charged to.
    func json(_ box: SealedBox, _ flow: UUID, guessing bucket: [UInt8]) -> JSON {
        var secret: JSONObject = ["state": state, "username": .string(username), "step": step.json]
        secret["hash"] = migratingHash.map(JSON.string)
        secret["accompanying"] = accompanying.map(\.json)
        let sealed = box.seal(Array(JSON.object(secret).text.utf8), purpose: "\(Self.purpose) \(flow.text)")
        var object: JSONObject = [
            "version": .integer(accompanying == nil ? 1 : 2), "provider": .string(provider),
            "guess_bucket": .string(Hex.encode(bucket)), "sealed": .string(Data(sealed).base64EncodedString()),
        ]
        object["link_flow"] = linkFlow.map { .string($0.text) }
        return .object(object)
    }

    /// Nil for an unknown version, or for a state sealed with a removed key.
    static func read(_ json: JSON, _ box: SealedBox, _ flow: UUID) -> ProviderFlow? {
        guard let version = json["version"]?.integer, (1...2).contains(version),
            let provider = json["provider"]?.string,
            let sealed = json["sealed"]?.string.flatMap({ Data(base64Encoded: $0) }),
            let plain = try? box.open(Array(sealed), purpose: "\(purpose) \(flow.text)"),
            let secret = try? JSON(parsing: plain, limits: .provider), let state = secret["state"],
            let username = secret["username"]?.string, let step = secret["step"].flatMap(ProviderStep.init)
        else { return nil }
        let accompanying = secret["accompanying"].flatMap { AccompanyingSession($0) }
        // Without its session the flow would create an account.
        guard version == 1 || accompanying != nil else { return nil }
        return ProviderFlow(
            provider: provider, username: username, step: step, state: state,
            linkFlow: json["link_flow"]?.string.flatMap(UUID.init(text:)), accompanying: accompanying,
            migratingHash: secret["hash"]?.string)
    }
}
