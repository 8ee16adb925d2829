import Foundation

/// An Android app: its package and the certificate that signs it.
package struct AndroidApp: Sendable, Equatable {
    package let package: String
    /// SHA-256, 32 bytes.
    private let fingerprint: [UInt8]

    /// Reads `com.example.app:AB:CD:…`, with the fingerprint as `keytool` prints it.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 33, let package = parts.first, Self.isPackage(package) else { return nil }
        let bytes = parts.dropFirst().compactMap { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
        guard bytes.count == 32 else { return nil }
        (self.package, fingerprint) = (String(package), bytes)
    }

    private static func isPackage(_ text: Substring) -> Bool {
        let names = text.split(separator: ".", omittingEmptySubsequences: false)
        return names.count > 1
            && names.allSatisfy { name in
                !name.isEmpty
                    && name.utf8.allSatisfy { byte in
                        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F
                    }
            }
    }

    /// The fingerprint as `keytool` prints it.
    package var fingerprintText: String {
        fingerprint.map { String(UInt16($0) + 0x100, radix: 16).dropFirst().uppercased() }.joined(separator: ":")
    }

    /// The app's origin, as the system reports it to websites.
    package var origin: String {
        let text = Data(fingerprint).base64EncodedString()
        return "android:apk-key-hash:"
            + String(text.compactMap { $0 == "=" ? nil : $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }
}
