import Foundation

@testable import GatewayClient

/// Keys and signatures by the `openssl` command; a key is a file in PEM.
extension OpenSSL: ProofSigning {
    func newKey() throws -> Data { try Self.run(["ecparam", "-name", "prime256v1", "-genkey", "-noout"]) }

    /// The last 64 bytes of the public key's DER are its point.
    func publicKey(of key: Data) throws -> Data {
        try Self.run(["ec", "-pubout", "-outform", "DER"], key).suffix(64)
    }

    func signature(for bytes: Data, with key: Data) throws -> Data {
        try Self.withFiles(key) { files in
            Self.plain(try Self.run(["dgst", "-sha256", "-sign", files[0]], bytes))
        }
    }

    /// Whether the signature of a point's owner is good, by the verifier of OpenSSL.
    static func verify(_ signature: Data, of bytes: Data, point: Data) throws -> Bool {
        // An uncompressed point on prime256v1 (RFC 5480).
        let head = Data(base64Encoded: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE") ?? Data()
        return try withFiles(head + point, encoded(signature)) { files in
            let arguments = ["dgst", "-sha256", "-keyform", "DER", "-verify", files[0], "-signature", files[1]]
            return (try? run(arguments, bytes)) != nil
        }
    }

    /// r and s of an ECDSA signature in DER.
    private static func plain(_ der: Data) -> Data {
        var (rest, numbers) = (der.dropFirst(2), Data())
        while let length = rest.dropFirst().first {
            let number = rest.dropFirst(2).prefix(Int(length)).suffix(32)
            numbers += Data(count: 32 - number.count) + number
            rest = rest.dropFirst(2 + Int(length))
        }
        return numbers
    }

    private static func encoded(_ signature: Data) -> Data {
        let numbers = [signature.prefix(32), signature.suffix(32)].map { number in
            let digits = number.drop { $0 == 0 }
            let bytes = (digits.first ?? 0x80) < 0x80 ? Data(digits) : [0] + digits
            return Data([0x02, UInt8(bytes.count)]) + bytes
        }.reduce(Data(), +)
        return Data([0x30, UInt8(numbers.count)]) + numbers
    }

    private static func withFiles<Value>(_ contents: Data..., body: ([String]) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("openssl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = contents.indices.map { folder.appendingPathComponent("\($0)") }
        for (file, bytes) in zip(files, contents) { try bytes.write(to: file) }
        return try body(files.map(\.path))
    }
}
