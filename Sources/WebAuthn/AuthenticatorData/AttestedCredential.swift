/// The new credential in authenticator data (WebAuthn §6.5.1).
struct AttestedCredential: Sendable {
    /// WebAuthn §4: the maximum length of a credential id.
    static let longestID = 1023
    private static let modelLength = 16

    /// The model of the authenticator, if stated.
    let model: [UInt8]
    let id: [UInt8]
    /// The public key as the authenticator encoded it.
    let encodedKey: [UInt8]
    let key: COSEKey

    /// Reads from a position, and moves it past the credential.
    init(_ bytes: [UInt8], at position: inout Int) throws(WebAuthnError) {
        var rest = bytes[position...]
        guard let model = rest.take(Self.modelLength), let length = rest.take(2) else {
            throw .authenticatorDataMalformed
        }
        let idLength = length.reduce(0) { $0 << 8 | Int($1) }
        guard idLength <= Self.longestID else { throw .credentialIDTooLong }
        guard idLength > 0, let id = rest.take(idLength) else { throw .authenticatorDataMalformed }
        self.model = model
        self.id = id
        var reader = CBORReader(bytes, at: rest.startIndex)
        key = try COSEKey(Self.value(&reader))
        encodedKey = Array(bytes[rest.startIndex..<reader.position])
        position = reader.position
    }

    private static func value(_ reader: inout CBORReader) throws(WebAuthnError) -> CBOR {
        do throws(CBORError) {
            return try reader.value()
        } catch {
            throw .publicKeyMalformed
        }
    }
}

extension ArraySlice<UInt8> {
    /// Takes bytes from the front; `nil`, with nothing taken, if there are fewer.
    mutating func take(_ count: Int) -> [UInt8]? {
        guard self.count >= count else { return nil }
        defer { removeFirst(count) }
        return Array(prefix(count))
    }
}
