import Synchronization
import Traces

/// The reason why a password was not hashed or compared.
package enum PasswordHashError: Error, Equatable, Sendable {
    /// All threads are busy and the queue is full: retry later.
    case busy
    /// The stored hash demands more memory or time than the limits allow.
    case costRefused
    case malformedHash
    /// The hash has an unsupported kind.
    case unsupportedHash
    case shutDown
    /// A code of the Argon2 library; in practice, the memory is exhausted.
    case failed(code: Int32)
}

/// The result of comparing a password with a stored hash.
package enum PasswordMatch: Equatable, Sendable {
    case no, yes
    /// The password is right, but the hash has other parameters or comes from another system: store a new one.
    case yesNeedsRehash
}

/// Slow hashing on its own threads with a bounded queue, so that other requests are not delayed.
///
/// A caller that charges an attempt first takes a ``place(for:)`` and hashes in it, so that a refused request costs no
/// attempt. A cancelled caller still waits. Otherwise, clients could queue unbounded work by closing connections.
package final class PasswordHasher: Sendable {
    private let parameters: Argon2Parameters
    private let queue: HashingQueue
    private let nobodysHash: PasswordHash

    /// Starts the threads.
    ///
    /// `queueLimit` counts the waiting jobs in addition to the active ones.
    package init(parameters: Argon2Parameters = .standard, threads: Int, queueLimit: Int) {
        self.parameters = parameters
        queue = HashingQueue(threads: threads, limit: queueLimit)
        // Random bytes instead of a digest: no password matches, and a comparison has the usual cost.
        nobodysHash = PasswordHash(
            parameters: parameters, salt: RandomBytes.system(PasswordHash.saltLength),
            digest: RandomBytes.system(PasswordHash.digestLength))
    }

    deinit {
        queue.shutDown()
    }

    /// The longest wait of a request for a place before it is refused.
    ///
    /// It also keeps refused clients from returning faster than passwords are checked.
    private static let patience = Duration.seconds(3)

    /// Takes a place in the queue before any charge, and waits three seconds for it if necessary.
    ///
    /// - Parameter network: the network with the affected share: an eighth of the queue at most.
    /// - Throws: `.busy` if no place is free.
    package func place(for network: String?) async throws(PasswordHashError) -> HashingPlace {
        try await RequestTrace.measure(.hashing, .inside, "wait for a place to hash") {
            () async throws(PasswordHashError) in try await queue.place(for: network, patience: Self.patience)
        }
    }

    /// Hashes under a fresh salt and returns the text to store.
    package func hash(_ password: [UInt8], in place: HashingPlace? = nil) async throws(PasswordHashError) -> String {
        let salt = RandomBytes.system(PasswordHash.saltLength)
        let digest = try await digest(password, salt, parameters, PasswordHash.digestLength, place)
        return PasswordHash(parameters: parameters, salt: salt, digest: digest).encoded
    }

    /// Compares with a stored hash of any kind.
    ///
    /// `typed` is the password before normalisation: other systems hashed that, so an imported hash is compared with
    /// both.
    package func verify(
        _ password: [UInt8], typed: [UInt8]? = nil, against encoded: String, in place: HashingPlace? = nil
    ) async throws(PasswordHashError) -> PasswordMatch {
        switch try StoredHash(encoded) {
        case .own(let stored):
            guard try await matches(password, stored, place) else { return .no }
            return isCurrent(stored) ? .yes : .yesNeedsRehash
        case .foreign(let stored):
            if let typed, typed != password, try await matches(typed, stored, place) { return .yesNeedsRehash }
            return try await matches(password, stored, place) ? .yesNeedsRehash : .no
        }
    }

    private func isCurrent(_ stored: PasswordHash) -> Bool {
        stored.parameters == parameters && stored.salt.count >= PasswordHash.saltLength
            && stored.digest.count == PasswordHash.digestLength
    }

    /// Compares with a hash that no password matches, so that an unknown account costs as much as a known one.
    package func verifyNothing(
        _ password: [UInt8], in place: HashingPlace? = nil
    ) async throws(PasswordHashError) {
        _ = try await matches(password, nobodysHash, place)
    }

    /// Runs a slow computation on one of the threads.
    package func compute<Value: Sendable>(
        in place: HashingPlace? = nil, _ work: @escaping @Sendable () -> Value
    ) async throws(PasswordHashError) -> Value {
        let result = Mutex<Value?>(nil)
        _ = try await queue.run(in: place) { () throws(PasswordHashError) -> [UInt8] in
            let value = work()
            result.withLock { $0 = value }
            return []
        }
        guard let value = result.withLock({ $0 }) else { throw .shutDown }
        return value
    }

    /// Refuses waiting and new jobs; active ones finish.
    package func shutdown() {
        queue.shutDown()
    }

    private func matches(
        _ password: [UInt8], _ stored: PasswordHash, _ place: HashingPlace?
    ) async throws(PasswordHashError) -> Bool {
        let digest = try await digest(password, stored.salt, stored.parameters, stored.digest.count, place)
        return ConstantTime.equal(digest, stored.digest)
    }

    private func matches(
        _ password: [UInt8], _ stored: ForeignHash, _ place: HashingPlace?
    ) async throws(PasswordHashError) -> Bool {
        let password = Secret(password)
        let digest = try await queue.run(in: place) { () throws(PasswordHashError) -> [UInt8] in
            try stored.digest(of: password.revealed)
        }
        return ConstantTime.equal(digest, stored.expected)
    }

    private func digest(
        _ password: [UInt8], _ salt: [UInt8], _ parameters: Argon2Parameters, _ length: Int,
        _ place: HashingPlace?
    ) async throws(PasswordHashError) -> [UInt8] {
        let password = Secret(password)
        return try await queue.run(in: place) { () throws(PasswordHashError) -> [UInt8] in
            try Argon2.digest(password.revealed, salt: salt, parameters: parameters, length: length)
        }
    }
}
