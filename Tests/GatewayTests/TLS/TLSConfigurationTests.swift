import Foundation
import Testing

@testable import GatewaySettings
@testable import HTTPServer

@Suite("The certificate's settings")
struct TLSConfigurationTests {
    private static let secure = Configurations.needed.merging([
        "PUBLIC_URL": "https://login.ducks.org", "ENVIRONMENT": "development",
    ]) { $1 }

    private static func complaints(_ certificate: String?, _ key: String?) -> [String] {
        Configurations.complaints(["TLS_CERTIFICATE_FILE": certificate, "TLS_KEY_FILE": key], base: secure)
    }

    @Test("without a certificate the server speaks plain HTTP")
    func plain() throws {
        #expect(try Configurations.read().server.tls == nil)
        #expect(try Configurations.read(["TLS_CERTIFICATE_FILE": "", "TLS_KEY_FILE": ""]).server.tls == nil)
    }

    @Test("a certificate with its key is accepted, for every kind and form of key", arguments: ["ec", "rsa"])
    func pairs(algorithm: String) async throws {
        let folder = try CertificateFolder()
        let pair = try await folder.pair(algorithm: algorithm)
        #expect(Self.complaints(pair.certificate, pair.key) == [])
        // `openssl req` writes PKCS #8; these are SEC 1 and PKCS #1.
        let traditional = "\(folder.path)/traditional.key"
        try await folder.openssl(
            [algorithm, "-in", pair.key, "-out", traditional] + (algorithm == "rsa" ? ["-traditional"] : []))
        let text = try String(contentsOfFile: traditional, encoding: .utf8)
        #expect(text.hasPrefix("-----BEGIN \(algorithm.uppercased()) PRIVATE KEY-----"))
        #expect(Self.complaints(pair.certificate, traditional) == [])
    }

    @Test("one file may contain certificate and key, with text around them")
    func oneFile() async throws {
        let folder = try CertificateFolder()
        let pair = try await folder.pair()
        let parts = try [pair.key, pair.certificate].map { try String(contentsOfFile: $0, encoding: .utf8) }
        let both = try folder.write("subject=ducks\n" + parts.joined(separator: "\nissuer=ducks\n"), to: "both.pem")
        #expect(Self.complaints(both, both) == [])
    }

    @Test("a certificate or key alone is one error, for the missing setting")
    func half() async throws {
        let folder = try CertificateFolder()
        let pair = try await folder.pair()
        let text = "is missing: a certificate and its key go together"
        #expect(Self.complaints(pair.certificate, nil) == ["TLS_KEY_FILE: \(text)"])
        #expect(Self.complaints(nil, pair.key) == ["TLS_CERTIFICATE_FILE: \(text)"])
    }

    @Test("invalid files are one error each, with the reason and without the key")
    func faults() async throws {
        let folder = try CertificateFolder()
        let pair = try await folder.pair()
        let other = try await folder.pair("other")
        let rsa = try await folder.pair("rsa", algorithm: "rsa")
        let empty = try folder.write("", to: "empty.pem")
        let broken = try folder.write(
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", to: "broken.pem")
        let halfChain = try folder.write(
            try String(contentsOfFile: pair.certificate, encoding: .utf8) + "-----BEGIN CERTIFICATE-----\nMIIB\n",
            to: "half.pem")
        let brokenKey = try folder.write(
            "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n", to: "broken.key")
        let locked = "\(folder.path)/locked.key"
        try await folder.openssl(["pkcs8", "-topk8", "-in", pair.key, "-out", locked, "-passout", "pass:hush"])
        let nowhere = "\(folder.path)/nowhere.pem"
        let (certificate, key) = ("TLS_CERTIFICATE_FILE", "TLS_KEY_FILE")

        let cases: [(certificate: String, key: String, complaint: String)] = [
            (nowhere, pair.key, "\(certificate): \(nowhere) does not exist"),
            (folder.path, pair.key, "\(certificate): \(folder.path) is a folder"),
            (empty, pair.key, "\(certificate): \(empty) is no chain of certificates in PEM"),
            (pair.key, pair.key, "\(certificate): \(pair.key) is no chain of certificates in PEM"),
            (broken, pair.key, "\(certificate): \(broken) is no chain of certificates in PEM"),
            (halfChain, pair.key, "\(certificate): \(halfChain) is no chain of certificates in PEM"),
            (pair.certificate, nowhere, "\(key): \(nowhere) does not exist"),
            (pair.certificate, empty, "\(key): \(empty) is no private key in PEM"),
            (pair.certificate, pair.certificate, "\(key): \(pair.certificate) is no private key in PEM"),
            (pair.certificate, brokenKey, "\(key): \(brokenKey) is no private key in PEM"),
            (pair.certificate, locked, "\(key): \(locked) is encrypted: nobody is there to type its passphrase"),
            (
                pair.certificate, other.key,
                "\(key): \(other.key) is not the key of the first certificate in \(pair.certificate)"
            ),
            (
                pair.certificate, rsa.key,
                "\(key): \(rsa.key) is not the key of the first certificate in \(pair.certificate)"
            ),
        ]
        for one in cases { #expect(Self.complaints(one.certificate, one.key) == [one.complaint]) }
        // After all those failures, a valid pair is still accepted.
        #expect(Self.complaints(pair.certificate, pair.key) == [])
    }

    @Test("an expired or not yet valid certificate is refused, with the time")
    func outOfDate() async throws {
        let folder = try CertificateFolder()
        let old = try await folder.pair("old", from: "20200101000000Z", to: "20200201000000Z")
        #expect(
            Self.complaints(old.certificate, old.key)
                == ["TLS_CERTIFICATE_FILE: \(old.certificate) has expired (2020-02-01T00:00:00Z)"])
        let early = try await folder.pair("early", from: "20990101000000Z", to: "20990201000000Z")
        #expect(
            Self.complaints(early.certificate, early.key)
                == ["TLS_CERTIFICATE_FILE: \(early.certificate) is not valid before 2099-01-01T00:00:00Z"])
    }

    @Test("a server with TLS needs an https address")
    func publicURL() async throws {
        let folder = try CertificateFolder()
        let pair = try await folder.pair()
        #expect(
            Configurations.complaints(["TLS_CERTIFICATE_FILE": pair.certificate, "TLS_KEY_FILE": pair.key])
                == ["PUBLIC_URL: must be https, since TLS_CERTIFICATE_FILE is set"])
    }

    @Test(
        "A-12: a key readable by others, also through links, is a warning in development and refused in production",
        arguments: [(0o600, false), (0o400, false), (0o640, true), (0o644, true)])
    func exposedKey(mode: Int, isExposed: Bool) async throws {
        let folder = try CertificateFolder()
        let pair = try await folder.pair()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: pair.key)
        let link = "\(folder.path)/live.key"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: pair.key)
        for key in [pair.key, link] {
            let files = ["TLS_CERTIFICATE_FILE": pair.certificate, "TLS_KEY_FILE": key]
            let warnings = try Configurations.read(files, base: Self.secure).warnings
            #expect(warnings.count { $0.contains("chmod 600") } == (isExposed ? 1 : 0))
            let complaints = Configurations.complaints(files, base: Configurations.production)
            #expect(complaints.count == (isExposed ? 1 : 0))
            #expect(complaints.allSatisfy { $0.hasPrefix("\(key): \(key) can be read or written by others") })
        }
    }
}
