package import Cryptography

/// Marks a device on which somebody signed in, so that a stranger who fails a thousand times for that person slows only
/// strangers.
///
/// The mark proves nothing about who holds it: the password is still asked, and attempts with any mark of a name are counted
/// on one bucket. Form: `dt_`, 16 random bytes and a MAC that binds them to the name. The database keeps a few for each
/// account, until the password changes and for ``life`` at most (`know_device`): a mark that it does not know is worth nothing.
package struct KnownDevices: Sendable {
    /// How long a mark counts, in seconds (180 days).
    static let life: Int32 = 180 * 86_400
    /// Marks of an account, the newest: more devices than people use, and few enough that marks are no use to hoard.
    static let mostOfAccount: Int32 = 8

    private let keys: [[UInt8]]
    private let random: RandomBytes

    package init(keys: MasterKeys, random: RandomBytes = .system) {
        self.keys = keys.derivedAll("known device")
        self.random = random
    }

    /// A device's mark as it is held there, and as the database keeps it.
    package struct Mark: Sendable, Equatable {
        package let token: String
        package let digest: [UInt8]
    }

    /// A mark that nobody had before.
    package func new(for name: String) -> Mark {
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

    /// The mark that a device presents, when it is ours and for this name; whether it still counts, the database says.
    package func presented(_ text: String?, for name: String) -> Mark? {
        guard let text, text.utf8.count == 46, text.hasPrefix("dt_"), let bytes = Base64URL.decode(text.dropFirst(3)),
            bytes.count == 32
        else { return nil }
        let mark = Array(bytes[..<16])
        let code = Array(bytes[16...])
        guard keys.contains(where: { ConstantTime.equal(mac(mark, name, $0), code) }) else { return nil }
        return Mark(token: text, digest: SHA256.hash(mark))
    }

    private func mac(_ mark: [UInt8], _ name: String, _ key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(mark + Array(name.utf8), key: key).prefix(16))
    }
}
