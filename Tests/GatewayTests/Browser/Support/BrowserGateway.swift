import Foundation
import Glibc
import TestSupport
import Testing

extension Trait where Self == GatewayTrait {
    /// A gateway with its own address; its providers are other sites, as in production.
    static var gatewayForBrowsers: Self {
        .gateway(
            gate: .browsedGateways,
            changes: { deployment in
                let port = try FreePort.choose()
                var changes: [String: String?] = [
                    "PORT": "\(port)", "PUBLIC_URL": "http://localhost:\(port)",
                    "CLIENT_REDIRECT_URIS": "http://127.0.0.1/back", "CLIENT_NAME": "Example Shop",
                    "OIDC_GOOGLE_NAME": "Google", "OIDC_ACME_NAME": "Acme", "SMS_SENDER": "file",
                ]
                for provider in WebSignInTests.providers {
                    let prefix = ["google", "acme"].contains(provider) ? "OIDC_" : ""
                    changes["\(prefix)\(provider.uppercased())_ENDPOINT"] =
                        "http://\(provider).localhost:\(deployment.simulator.port)/\(provider)"
                }
                return changes
            })
    }
}

/// Ports chosen before a server listens on them.
enum FreePort {
    /// A free port, below the range of ports that the kernel assigns.
    static func choose() throws -> Int {
        for _ in 0..<100 {
            let port = UInt16.random(in: 15_000..<32_000)
            if isFree(port) { return Int(port) }
        }
        throw HarnessError("No free port was found between 15000 and 32000.")
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
