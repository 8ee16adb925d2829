import Cryptography
import Foundation
import Postgres
import Vocabulary

/// The secret of a device that the user confirmed, proved by SRP-6a in place of the second factor.
struct DeviceStep: FlowStep {
    static let kind = "device"

    /// The digest of the device.
    let digest: [UInt8]
    let realm: String
    /// The protocol's name of the device.
    let name: String
    let server: SRPServer
    /// A, in hexadecimal; nil until the device has sent it.
    var clientValue: String?

    func wrong(triesLeft: Int) -> Rejection { .invalidCredentials() }

    func isDue(_ next: SignInCourse.Next) -> Bool { !next.candidates.isEmpty }

    func shown(_ context: FlowContext) -> SignInStep {
        let challenge = SRPChallenge(user: name, salt: server.salt, serverValue: server.publicValue)
        return .deviceProof(clientValue == nil ? nil : challenge, context.choices())
    }

    func judge(_ response: StepResponse, _ context: FlowContext) async throws(Rejection) -> Verdict {
        switch response.answer {
        case .deviceValue(let value, let device): return .goOn(try asked(value, by: device))
        case .passwordProof(let proof):
            guard let clientValue else { return .wrong }
            let isRight = try await context.accepts(
                proof, by: server, realm: realm, user: name, clientValue: clientValue)
            guard isRight else { return .wrong }
            return .right(Right(device: digest))
        default: throw .invalidField(.factor, .required)
        }
    }

    private func asked(_ value: String, by device: String) throws(Rejection) -> DeviceStep {
        guard device == name else { throw .notFound }
        guard SRPServer.accepts(clientValue: value) else { throw .invalidCredentials() }
        var step = self
        step.clientValue = value
        return step
    }
}

extension FlowService {
    /// The step of the caller's confirmed device, where that may replace the second factor; nil where it may not.
    ///
    /// - Throws: `notFound` for a device that the account does not have.
    func deviceStep(_ flow: SignInFlow, _ context: FlowContext) async throws(Rejection) -> DeviceStep? {
        guard let name = context.request.device.confirmed, let account = context.account, flow.session == nil,
            flow.linkFlow == nil, flow.wish == nil,
            context.course.mayRelyOnDevice(flow.proofs, choosesPassword: flow.progress.newPassword != nil)
        else { return nil }
        let digest = DeviceSecret.digest(of: name)
        let found = try await rejecting(shared.logger) { try await shared.store.device(digest, of: account) }
        guard let found else { throw .notFound }
        guard found.replacesFactor else { return nil }
        let (box, hasher, network) = (shared.tools.box, shared.tools.hasher, context.request.caller.network)
        let server = try await rejecting(shared.logger) {
            let verifier = try found.secret.opened(box, account)
            let place = try await hasher.place(for: network)
            return try await hasher.compute(in: place) { SRPServer(verifier) }
        }
        return DeviceStep(digest: digest, realm: found.secret.realm, name: found.secret.name, server: server)
    }
}

extension FlowStore {
    struct ConfirmedDevice: Sendable {
        let secret: SealedDeviceSecret
        /// Whether the user has it remembered after two factors.
        let replacesFactor: Bool
    }

    func device(_ digest: [UInt8], of account: UUID) async throws -> ConfirmedDevice? {
        try await pool.withConnection { connection in
            try connection.queryOne(
                """
                select srp_realm, srp_name, srp_salt, srp_sealed, is_remembered and is_proved from remembered_devices
                 where account_id = \(account) and digest = \(digest) and srp_sealed is not null and expires_at > now()
                """
            ).map { row in
                ConfirmedDevice(
                    secret: SealedDeviceSecret(
                        realm: try row.value(0), name: try row.value(1), salt: try row.value(2),
                        sealed: try row.value(3)),
                    replacesFactor: try row.value(4))
            }
        }
    }
}
