import COpenSSL

/// A natural number of OpenSSL, wiped when its last reference is released.
///
/// It never changes after its creation. Only exhausted memory can make the arithmetic fail, and then the program stops.
@safe final class BigNumber {
    private let pointer: OpaquePointer

    private init(adopting pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer else { preconditionFailure("OpenSSL has no memory for a number") }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe BN_clear_free(pointer)
    }

    /// Big-endian; an empty array is zero.
    convenience init(_ bytes: [UInt8]) {
        unsafe self.init(adopting: BN_bin2bn(bytes, Int32(bytes.count), nil))
    }

    /// Hexadecimal digits in either case, of any count up to `limit`; nil for anything else.
    convenience init?(hex text: String, limit: Int) {
        guard (1...limit).contains(text.utf8.count),
            let bytes = Hex.decode(text.utf8.count.isMultiple(of: 2) ? text : "0" + text)
        else { return nil }
        self.init(bytes)
    }

    /// Big-endian, without leading zeros; zero has no bytes.
    var bytes: [UInt8] {
        let length = unsafe Int(BN_num_bits(pointer) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: length)
        precondition(unsafe BN_bn2binpad(pointer, &bytes, Int32(length)) == Int32(length), "OpenSSL gave no number")
        return bytes
    }

    /// Lower-case hexadecimal without leading zeros.
    var hex: String {
        let text = Hex.encode(bytes)
        return text.first == "0" ? String(text.dropFirst()) : text.isEmpty ? "0" : text
    }

    var isZero: Bool { unsafe BN_is_zero(pointer) == 1 }

    static func < (a: BigNumber, b: BigNumber) -> Bool {
        unsafe BN_cmp(a.pointer, b.pointer) < 0
    }

    static func + (a: BigNumber, b: BigNumber) -> BigNumber {
        unsafe made { result, _ in unsafe BN_add(result, a.pointer, b.pointer) }
    }

    static func * (a: BigNumber, b: BigNumber) -> BigNumber {
        unsafe made { result, context in unsafe BN_mul(result, a.pointer, b.pointer, context) }
    }

    func plus(_ other: BigNumber, modulo modulus: BigNumber) -> BigNumber {
        unsafe Self.made { result, context in
            unsafe BN_mod_add(result, pointer, other.pointer, modulus.pointer, context)
        }
    }

    func minus(_ other: BigNumber, modulo modulus: BigNumber) -> BigNumber {
        unsafe Self.made { result, context in
            unsafe BN_mod_sub(result, pointer, other.pointer, modulus.pointer, context)
        }
    }

    func times(_ other: BigNumber, modulo modulus: BigNumber) -> BigNumber {
        unsafe Self.made { result, context in
            unsafe BN_mod_mul(result, pointer, other.pointer, modulus.pointer, context)
        }
    }

    /// Takes the same time for every exponent of one length; the modulus must be odd.
    func power(_ exponent: BigNumber, modulo modulus: BigNumber) -> BigNumber {
        let base = unsafe Self.made { result, context in unsafe BN_nnmod(result, pointer, modulus.pointer, context) }
        return unsafe Self.made { result, context in
            unsafe BN_mod_exp_mont_consttime(
                result, base.pointer, exponent.pointer, modulus.pointer, context, nil)
        }
    }

    private static func made(_ compute: (OpaquePointer?, OpaquePointer?) -> Int32) -> BigNumber {
        let context = unsafe BN_CTX_secure_new()
        defer { unsafe BN_CTX_free(context) }
        let result = unsafe BigNumber(adopting: BN_new())
        precondition(unsafe context != nil && compute(result.pointer, context) == 1, "OpenSSL could not calculate")
        return result
    }
}
