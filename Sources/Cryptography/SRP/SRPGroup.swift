/// The common part of both sides of Amazon Cognito's secure remote password protocol (SRP-6a, RFC 5054).
///
/// The group is the 3072-bit one of RFC 3526 §4; hash and key derivation use SHA-256. Numbers are hashed in their
/// shortest two's complement form. There, a number with a set first bit has a leading zero byte.
enum SRPGroup {
    static let longestHex = 768
    static var generator: BigNumber { BigNumber([2]) }
    static var modulus: BigNumber { BigNumber(modulusBytes) }

    /// H(N ‖ g): binds the server's value to the group.
    static var multiplier: BigNumber {
        BigNumber(SHA256.hash(padded(modulus) + padded(generator)))
    }

    /// The public value of the peer; nil unless it is in 1 … N−1.
    ///
    /// Zero and the multiples of N would make the shared secret zero for any password.
    static func value(_ hex: String) -> BigNumber? {
        guard let value = BigNumber(hex: hex, limit: longestHex), !value.isZero, value < modulus else { return nil }
        return value
    }

    /// The shortest big-endian two's complement form.
    static func padded(_ number: BigNumber) -> [UInt8] {
        let bytes = number.bytes
        guard let first = bytes.first else { return [0] }
        let zero: [UInt8] = [0]
        return first >= 0x80 ? zero + bytes : bytes
    }

    /// x: the password as a number.
    static func password(_ password: [UInt8], realm: String, user: String, salt: BigNumber) -> BigNumber {
        let inner = SHA256.hash(Array((realm + user + ":").utf8) + password)
        return BigNumber(SHA256.hash(padded(salt) + inner))
    }

    /// u: binds the secret to both public values.
    static func scrambler(client: BigNumber, server: BigNumber) -> BigNumber {
        BigNumber(SHA256.hash(padded(client) + padded(server)))
    }

    /// The key that both sides derive.
    static func key(secret: BigNumber, scrambler: BigNumber) -> [UInt8] {
        HKDF.sha256(
            key: padded(secret), salt: padded(scrambler), info: Array("Caldera Derived Key".utf8), length: 16)
    }

    /// The proof of the key.
    static func signature(
        key: [UInt8], realm: String, user: String, secretBlock: [UInt8], timestamp: String
    ) -> [UInt8] {
        HMACSHA256.code(Array((realm + user).utf8) + secretBlock + Array(timestamp.utf8), key: key)
    }

    private static let modulusBytes: [UInt8] =
        Hex.decode(
            """
            FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD\
            EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED\
            EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F\
            83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B\
            E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510\
            15728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7\
            ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200C\
            BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF
            """) ?? []
}
