/// The fingerprint of factorable RSA keys from a faulty chip library (CVE-2017-15361, "ROCA").
///
/// Its primes are powers of 65537 modulo a product of small primes, and so is their product, the modulus. The published
/// test checks that for each small prime. About one of 2²⁷ sound keys has the fingerprint by chance.
enum ROCA {
    /// The odd primes of the published test.
    private static let primes: [Int] = [
        3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
        113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
    ]

    /// For each prime, whether a remainder is a power of 65537.
    private static let powers: [[Bool]] = primes.map { prime in
        var isPower = [Bool](repeating: false, count: prime)
        var power = 1
        while !isPower[power] {
            isPower[power] = true
            power = power * 65_537 % prime
        }
        return isPower
    }

    /// Whether a modulus, big-endian, has the fingerprint.
    static func hasFingerprint(modulus: [UInt8]) -> Bool {
        zip(primes, powers).allSatisfy { prime, isPower in
            isPower[modulus.reduce(0) { ($0 << 8 | Int($1)) % prime }]
        }
    }
}
