/// Why a password was not hashed or compared.
package enum PasswordHashError: Error, Equatable, Sendable {
    /// All threads are at work and the queue is full: ask again later.
    case busy
    /// The stored hash demands more memory or time than is ever spent.
    case costRefused
    case malformedHash
    /// Of a kind that is not checked here.
    case unsupportedHash
    case shutDown
    /// A code of the Argon2 library; in practice, memory has run out.
    case failed(code: Int32)
}

/// What comparing a password with a stored hash said.
package enum PasswordMatch: Equatable, Sendable {
    case no, yes
    /// The password is right, the hash was made with other parameters or by another system: store a new one.
    case yesNeedsRehash
}

/// Slow hashing on threads of its own, behind a bounded queue: other requests do not feel it.
///
/// Whoever is charged for an attempt takes a ``place(for:)`` first, and hashes in it: who is turned away has paid nothing.
/// A caller that is cancelled waits all the same. Its work is done or queued, and letting it go early would let anybody queue
/// unbounded work by hanging up.
package final class PasswordHasher: Sendable {
    private let parameters: Argon2Parameters
    private let random: RandomBytes
    private let queue: HashingQueue
    private let nobodysHash: PasswordHash

    /// Starts the threads.
    ///
    /// `queueLimit` counts what waits beside what they are working on.
    package init(
        parameters: Argon2Parameters = .standard, threads: Int, queueLimit: Int, random: RandomBytes = .system
    ) {
        self.parameters = parameters
        self.random = random
        queue = HashingQueue(threads: threads, limit: queueLimit)
        // Random bytes in place of a digest: there is no password to it, and comparing costs what it always costs.
        nobodysHash = PasswordHash(
            parameters: parameters, salt: random(PasswordHash.saltLength), digest: random(PasswordHash.digestLength))
    }

    deinit {
        queue.shutDown()
    }

    /// How long a request waits for a place before it is turned away.
    ///
    /// It is also what keeps those who are turned away from coming back faster than passwords are checked.
    private static let patience = Duration.seconds(3)

    /// Takes a place in the queue, before anything is charged; waits three seconds where there is none.
    ///
    /// - Parameter network: the network whose share it counts against: an eighth of the queue at most.
    /// - Throws: `.busy` where there is none.
    package func place(for network: String?) async throws(PasswordHashError) -> HashingPlace {
        try await queue.place(for: network, patience: Self.patience)
    }

    /// Hashes under a fresh salt and returns the text to store.
    package func hash(_ password: [UInt8], in place: HashingPlace? = nil) async throws(PasswordHashError) -> String {
        let salt = random(PasswordHash.saltLength)
        let digest = try await digest(password, salt, parameters, PasswordHash.digestLength, place)
        return PasswordHash(parameters: parameters, salt: salt, digest: digest).encoded
    }

    /// Compares with a stored hash of any kind.
    ///
    /// `typed` are the bytes before they were normalised: other systems hashed those, so an imported hash is tried with both.
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

    /// The work of ``verify(_:typed:against:)`` against a hash that nobody has, so that an unknown account costs what a known one
    /// costs.
    package func verifyNothing(
        _ password: [UInt8], in place: HashingPlace? = nil
    ) async throws(PasswordHashError) {
        _ = try await matches(password, nobodysHash, place)
    }

    /// What waits for a thread.
    package var queueDepth: Int { queue.depth }

    /// Refuses what waits and what comes; what is being hashed is finished.
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
