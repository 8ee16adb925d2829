import COpenSSL

/// The two spellings of an ECDSA signature: JOSE's `r‖s` of fixed length (RFC 7518 §3.4) and OpenSSL's DER.
enum ECDSASignature {
    /// `nil` unless the raw form has exactly the length of the curve.
    static func der(raw: [UInt8], curve: Curve) -> [UInt8]? {
        guard raw.count == 2 * curve.length else { return nil }
        let body = integer(raw[..<curve.length]) + integer(raw[curve.length...])
        let sequence: UInt8 = 0x30
        let longForm: [UInt8] = body.count < 128 ? [] : [0x81]
        return [sequence] + longForm + [UInt8(body.count)] + body
    }

    /// A DER integer: no unnecessary leading zeros, but one if the first bit would read as a sign.
    private static func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(number.drop { $0 == 0 })
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        let tag: UInt8 = 0x02
        return [tag, UInt8(digits.count)] + digits
    }

    /// `nil` unless this is DER with two numbers in the curve's range.
    static func raw(der: [UInt8], curve: Curve) -> [UInt8]? {
        guard let signature = unsafe der.withUnsafeBufferPointer({ unsafe read($0) }) else { return nil }
        defer { unsafe ECDSA_SIG_free(signature) }
        let half = Int32(curve.length)
        var r = [UInt8](repeating: 0, count: curve.length)
        var s = r
        guard unsafe BN_bn2binpad(ECDSA_SIG_get0_r(signature), &r, half) == half,
            unsafe BN_bn2binpad(ECDSA_SIG_get0_s(signature), &s, half) == half
        else { return nil }
        return r + s
    }

    private static func read(_ der: UnsafeBufferPointer<UInt8>) -> OpaquePointer? {
        var next = der.baseAddress
        return unsafe d2i_ECDSA_SIG(nil, &next, der.count)
    }
}
