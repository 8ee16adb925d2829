import Cryptography
import JSON

/// The common members of both kinds of response (WebAuthn level 3 §5.1.8).
///
/// Unneeded members are ignored: most are unsigned copies of signed values.
struct ResponseMembers {
    let credentialID: [UInt8]
    private let response: JSONObject

    init(_ json: JSON) throws(WebAuthnError) {
        guard let members = json.object, let response = members["response"]?.object, let id = members["id"]?.string,
            let rawID = Self.bytes(members["rawId"]), let type = members["type"]?.string
        else { throw .responseMalformed }
        guard type.hasSameBytes(as: "public-key") else { throw .credentialTypeInvalid }
        guard Base64URL.decode(id) == rawID else { throw .credentialIDMismatch }
        guard !rawID.isEmpty else { throw .responseMalformed }
        guard rawID.count <= AttestedCredential.longestID else { throw .credentialIDTooLong }
        credentialID = rawID
        self.response = response
    }

    func bytes(_ name: String) throws(WebAuthnError) -> [UInt8] {
        guard let bytes = Self.bytes(response[name]) else { throw .responseMalformed }
        return bytes
    }

    /// `nil` if the member is absent or null, as some clients write it.
    func optionalBytes(_ name: String) throws(WebAuthnError) -> [UInt8]? {
        guard let member = response[name], !member.isNull else { return nil }
        guard let bytes = Self.bytes(member) else { throw .responseMalformed }
        return bytes
    }

    /// Unsigned: they are hints for later requests, so implausible values are dropped.
    func transports() throws(WebAuthnError) -> [String] {
        guard let member = response["transports"], !member.isNull else { return [] }
        guard let names = member.array else { throw .responseMalformed }
        let transports = names.prefix(Transport.most).compactMap(\.string).filter(Transport.isPlausible)
        return transports.enumerated().filter { !transports.prefix($0.offset).contains($0.element) }.map(\.element)
    }

    private static func bytes(_ member: JSON?) -> [UInt8]? {
        member?.string.flatMap { Base64URL.decode($0) }
    }
}

/// The transport of an authenticator: `usb`, `nfc`, `ble`, `smart-card`, `hybrid`, `internal`, and future ones.
private enum Transport {
    static let most = 8
    private static let longest = 32

    static func isPlausible(_ name: String) -> Bool {
        (1...longest).contains(name.utf8.count)
            && name.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
