import Foundation

/// A new folder with mode 700.
package func makeTemporaryFolder() throws -> String {
    let path = "/tmp/gateway-test-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    return path
}
