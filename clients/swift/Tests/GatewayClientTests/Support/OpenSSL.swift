import Foundation

@testable import GatewayClient

/// Cryptography for tests by the `openssl` command: Foundation on Linux has none.
struct OpenSSL: SHA256Hashing {
    func sha256(_ bytes: Data) -> Data { (try? Self.run(["dgst", "-sha256", "-binary"], bytes)) ?? Data() }

    static func hmacSHA1(_ bytes: Data, key: Data) throws -> Data {
        let hex = key.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
        return try run(["dgst", "-sha1", "-mac", "HMAC", "-macopt", "hexkey:\(hex)", "-binary"], bytes)
    }

    static func run(_ arguments: [String], _ input: Data = Data()) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let (inward, outward) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (inward, outward)
        process.standardError = FileHandle.nullDevice
        try process.run()
        try inward.fileHandleForWriting.write(contentsOf: input)
        try inward.fileHandleForWriting.close()
        let output = try outward.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ScriptFailure("openssl \(arguments) failed") }
        return output
    }
}
