import Cryptography
import Foundation
import JSON
import Synchronization
import Testing

/// The pool's side of a password proof, for one user.
final class PasswordProof: Sendable {
    static let modulus =
        "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
        + "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
        + "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
        + "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
        + "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510"
        + "15728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7"
        + "ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200C"
        + "BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF"

    private static let realm = "Example01"
    private let verifier: SRPVerifier
    private let server: SRPServer
    private let block = Array("what only the pool understands".utf8)
    private let clientValue = Mutex("")

    init(password: Secret) {
        verifier = SRPVerifier(realm: Self.realm, user: PoolStage.user, password: password)
        server = SRPServer(verifier)
    }

    func challenge(_ call: ScriptedPool.Call) -> JSON {
        clientValue.withLock { $0 = call.parameter("SRP_A") ?? "" }
        return PoolStage.challenge(
            "PASSWORD_VERIFIER",
            [
                "SALT": .string(verifier.salt), "SRP_B": .string(server.publicValue),
                "SECRET_BLOCK": .string(Data(block).base64EncodedString()), "USERNAME": .string(PoolStage.user),
                "USER_ID_FOR_SRP": .string(PoolStage.user),
            ])
    }

    /// Whether a call proves the password, at the tests' time and for the pool's user name.
    func accepts(_ call: ScriptedPool.Call) -> Bool {
        #expect(call.members["ChallengeName"]?.string == "PASSWORD_VERIFIER")
        #expect(call.members["Session"]?.string == PoolStage.session)
        #expect(call.parameter("USERNAME") == PoolStage.user)
        #expect(call.parameter("PASSWORD_CLAIM_SECRET_BLOCK") == Data(block).base64EncodedString())
        #expect(call.parameter("TIMESTAMP") == "Fri Jan 15 08:00:00 UTC 2027")
        let signature = call.parameter("PASSWORD_CLAIM_SIGNATURE").flatMap { Data(base64Encoded: $0) } ?? Data()
        return server.accepts(
            Array(signature), realm: Self.realm, user: PoolStage.user, clientValue: clientValue.withLock { $0 },
            secretBlock: block, timestamp: call.parameter("TIMESTAMP") ?? "")
    }
}
