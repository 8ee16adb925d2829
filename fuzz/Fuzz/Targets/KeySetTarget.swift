import JSON

@testable import Cryptography

/// A key that is taken has safe numbers, no private half, and the same thumbprint when it is published again.
enum KeySetTarget {
    private static let accepted = Set(SignatureAlgorithm.allCases)

    static func read(_ input: [UInt8]) {
        if let set = try? JWKSet(parsing: input, accepting: accepted) {
            for id in set.keyIDs {
                hold(!set.ambiguousKeyIDs.contains(id), "no ambiguous key is used")
                for algorithm in accepted {
                    if let key = set.key(id: id, algorithm: algorithm) { check(key, algorithm) }
                }
            }
        }
        guard let json = try? JSON(parsing: input), let key = try? JWK(json, accepting: accepted) else { return }
        hold(["d", "p", "q", "dp", "dq", "qi", "oth", "k"].allSatisfy { json[$0] == nil }, "no private key is taken")
        hold(json["use"] == nil || json["use"] == "sig", "a key is for signatures")
        for algorithm in accepted where key.fits(algorithm) { check(key, algorithm) }
    }

    private static func check(_ key: JWK, _ algorithm: SignatureAlgorithm) {
        let published = key.key.jwk(id: "k", algorithm: algorithm)
        let again = try? JWK(published, accepting: [algorithm])
        hold(again?.key.thumbprint == key.key.thumbprint, "a published key is the same key")
        let zeros = [UInt8](repeating: 0, count: key.key.kind.signatureLength)
        hold(!key.key.verify(zeros, of: [], algorithm: algorithm), "zeros are no signature")
        if let modulus = published["n"]?.string.flatMap({ Base64URL.decode($0) }) {
            hold((256...1024).contains(modulus.count) && modulus[0] != 0, "a modulus has 2048 to 8192 bits")
        }
    }
}
