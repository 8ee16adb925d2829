import Cryptography
import Vocabulary

/// Marks known devices, so that failed attempts by strangers do not slow the account holder.
///
/// The mark proves nothing about its bearer: the password is still required. All marks of a name share one bucket.
/// Form: `dt_`, 16 random bytes and a MAC that binds them to the name. The database keeps a few for each account, until
/// the password changes and for ``life`` at most (`know_device`). An unknown mark has no effect.
struct KnownDevices: Sendable {
    /// The lifetime of a mark, in seconds (180 days).
    static let life: Int32 = 180 * 86_400
    /// The number of newest marks per account: more than users need, and too few to be worth hoarding.
    static let mostOfAccount: Int32 = 8

    private let keys: [[UInt8]]

    init(keys: MasterKeys) {
        self.keys = keys.derivedAll("known device")
    }

    /// A device's mark as the device and as the database store it.
    struct Mark: Sendable, Equatable {
        let token: String
        let digest: [UInt8]
    }

    /// Makes a new mark.
    func new(for name: String) -> Mark {
        let mark = RandomBytes.system(16)
        return Mark(
            token: SecretPrefix.knownDevice.text(mark + mac(mark, name, keys[0])), digest: SHA256.hash(mark))
    }

    /// The stored form of a device's mark, for any name.
    func mark(_ text: String) -> Mark? {
        Self.digest(text).map { Mark(token: text, digest: $0) }
    }

    /// The digest of a device's mark, for any name; nil for a text of another form.
    static func digest(_ text: String) -> [UInt8]? {
        guard text.utf8.count == 46, let bytes = SecretPrefix.knownDevice.bytes(of: text) else { return nil }
        return SHA256.hash(Array(bytes.prefix(16)))
    }

    /// Returns a presented mark if we issued it for this name; the database decides whether it still counts.
    func presented(_ text: String?, for name: String) -> Mark? {
        guard let text, text.utf8.count == 46, let bytes = SecretPrefix.knownDevice.bytes(of: text),
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
