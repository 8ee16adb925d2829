package import Cryptography

/// Marks a device on which somebody signed in with a password, so that a stranger who fails a thousand times for that
/// person slows only strangers.
///
/// The mark proves nothing about who holds it: the password is still asked, and attempts with the mark are counted on a
/// bucket of its own. Form: `dt_`, 16 random bytes and a MAC that binds them to the name.
package struct KnownDevices: Sendable {
    private let keys: [[UInt8]]
    private let random: RandomBytes

    package init(keys: MasterKeys, random: RandomBytes = .system) {
        self.keys = keys.derivedAll("known device")
        self.random = random
    }

    package func issue(for name: String) -> String { mark(nil, for: name).token }

    /// A device's mark as it is held there, and as the database keeps it.
    struct Mark: Sendable, Equatable {
        let token: String
        let digest: [UInt8]
    }

    /// The mark that a device has for the name, or a new one.
    func mark(_ text: String?, for name: String) -> Mark {
        if let text, let own = recognised(text, for: name) { return Mark(token: text, digest: SHA256.hash(own)) }
        let mark = random(16)
        return Mark(
            token: "dt_" + Base64URL.encode(mark + mac(mark, name, keys[0])), digest: SHA256.hash(mark))
    }

    /// What the database would keep of a device's mark, whoever it is for.
    func mark(_ text: String) -> Mark? {
        guard text.utf8.count == 46, text.hasPrefix("dt_"), let bytes = Base64URL.decode(text.dropFirst(3)) else {
            return nil
        }
        return Mark(token: text, digest: SHA256.hash(Array(bytes.prefix(16))))
    }

    /// The device's own bucket name, when the mark is ours and for this name.
    package func recognised(_ text: String?, for name: String) -> [UInt8]? {
        guard let text, text.utf8.count == 46, text.hasPrefix("dt_"), let bytes = Base64URL.decode(text.dropFirst(3)),
            bytes.count == 32
        else { return nil }
        let mark = Array(bytes[..<16])
        let presented = Array(bytes[16...])
        return keys.contains { ConstantTime.equal(mac(mark, name, $0), presented) } ? mark : nil
    }

    private func mac(_ mark: [UInt8], _ name: String, _ key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(mark + Array(name.utf8), key: key).prefix(16))
    }
}
