package import Cryptography
package import JSON
import Postgres

/// A call with an `Idempotency-Key`.
package struct IdempotentCall: Sendable {
    /// Of the actor and the key.
    let digest: [UInt8]
    let requestDigest: [UInt8]
    /// As the database keeps it: a request may have a password, which its bare digest would reveal to guesses.
    let sealedRequest: [UInt8]

    fileprivate init(_ key: String, of request: [UInt8], by actor: AdminActor, _ box: SealedBox) {
        digest = SHA256.hash("\(actor.id?.text ?? "")\0\(key)")
        requestDigest = SHA256.hash(request)
        sealedRequest = box.seal(requestDigest, purpose: Self.purpose("request", digest))
    }

    /// Writes its row with the object that the call creates, so that neither exists without the other.
    func spend(_ connection: Connection) throws {
        let isFirst =
            try connection.execute(
                """
                insert into idempotent_calls as c (digest, request_sealed, expires_at)
                values (\(digest), \(sealedRequest), now() + interval '24 hours')
                on conflict (digest) do update
                   set request_sealed = excluded.request_sealed, answer_sealed = null, expires_at = excluded.expires_at
                 where c.expires_at <= now()
                """) > 0
        guard isFirst else { throw AdminRefusal.idempotencyKeyBusy }
    }

    fileprivate var requestPurpose: String { Self.purpose("request", digest) }
    fileprivate var answerPurpose: String { Self.purpose("answer", digest) }

    private static func purpose(_ part: String, _ digest: [UInt8]) -> String {
        "idempotent \(part) \(Hex.encode(digest))"
    }
}

/// The answers to calls with an `Idempotency-Key`, for 24 hours: a repeated call gets the first answer.
///
/// Answers may contain secrets, so they are sealed with the master key.
package struct Idempotency: Sendable {
    private static let lengths = 1...255

    private let desk: AdminDesk
    private let box: SealedBox

    package init(desk: AdminDesk, keys: MasterKeys) {
        (self.desk, box) = (desk, SealedBox(keys))
    }

    /// - Parameters:
    ///   - key: the caller's key. Equal keys of two actors are independent.
    ///   - request: the parts that a repeated call must not change.
    /// - Throws: `invalidMember` for a key that is no printable ASCII of 1 to 255 characters.
    package func call(_ key: String, of request: [UInt8], by actor: AdminActor) throws(AdminRefusal) -> IdempotentCall {
        guard Self.lengths.contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidMember(pointer: "", reason: "idempotency_key_malformed")
        }
        return IdempotentCall(key, of: request, by: actor, box)
    }

    /// The answer of the first call; nil if this is the first one.
    ///
    /// - Throws: `idempotencyKeyReused` for another request; `idempotencyKeyBusy` while the first call runs, or if its
    ///   answer was lost; the refusals of the action.
    package func answer(to call: IdempotentCall, _ action: AdminAction, _ actor: AdminActor) async throws -> JSON? {
        let (digest, box) = (call.digest, box)
        return try await desk.look(action, actor) { connection in
            let row = try connection.queryOne(
                """
                select request_sealed, answer_sealed from idempotent_calls where digest = \(digest) and expires_at > now()
                """)
            guard let row else { return nil }
            guard try box.open(row.value(0), purpose: call.requestPurpose) == call.requestDigest else {
                throw AdminRefusal.idempotencyKeyReused
            }
            guard let sealed: [UInt8] = try row.value(1) else { throw AdminRefusal.idempotencyKeyBusy }
            let text = try box.open(sealed, purpose: call.answerPurpose)
            return try AdminDesk.document(String(decoding: text, as: UTF8.self))
        }
    }

    /// Keeps the answer of a first call.
    package func keep(_ answer: JSON, of call: IdempotentCall) async throws {
        let sealed = box.seal(answer.bytes(), purpose: call.answerPurpose)
        try await desk.pool.execute(
            "update idempotent_calls set answer_sealed = \(sealed) where digest = \(call.digest)")
    }
}
