/// The limits for the check of one stored hash.
///
/// The system that made a hash chose its cost. Beyond these bounds one sign-in could take all memory, or block a
/// hashing thread for too long. One to three seconds of a core are allowed. The limits apply at the import of a hash
/// and again at each check, whatever its origin.
enum HashCost {
    /// In bytes, for Argon2, scrypt and yescrypt.
    static let mostMemory = 256 << 20
    /// Argon2's memory in KiB times its passes: about two seconds.
    static let mostArgon2Work = 2 << 20
    /// Each step doubles: 14 is about one second.
    static let mostBcryptCost = 14
    /// Multiplied by the blocks of the derived key: one second, with SHA-512 nearly three.
    static let mostPBKDF2Iterations = 5_000_000
    /// Half a second; four seconds for a password of 500 bytes.
    static let mostSHACryptRounds = 1_000_000
    /// N·r·p: about one and a half seconds.
    static let mostScryptWork = 4 << 20

    /// Whether scrypt, or yescrypt, may run with N = 2^logN.
    static func allowsScrypt(logN: Int, blockSize r: Int, parallelism p: Int) -> Bool {
        // High parallelism with small blocks costs more than N·r·p indicates.
        guard (1...21).contains(logN), (1...1 << 21).contains(r), (1...64).contains(p) else { return false }
        let n = 1 << logN
        return n <= mostScryptWork / (r * p) && n + p <= mostMemory / (128 * r)
    }
}
