package import FoundationEssentials
import NIOSSL
import Settings
import Telemetry

/// A certificate, its chain and its key, checked for use with clients.
package struct CertificatePair: Sendable {
    /// The reason why a pair is unusable, and the setting that names the faulty file.
    package struct Fault: Error {
        let key: ConfigurationKey
        let text: String
    }

    /// The TLS context for new connections.
    let context: NIOSSLContext
    /// The expiry of the certificate.
    package let expires: Date

    /// Reads both files.
    ///
    /// - Throws: ``Fault`` for an unreadable, malformed, expired or mismatched file.
    package init(_ files: TLSConfiguration, at now: Date = Date()) throws(Fault) {
        let chain = try Self.chain(files.certificateFile)
        expires = try Self.expiry(of: chain[0], in: files.certificateFile, at: now)
        let key = try Self.key(files.keyFile)
        var configuration = NIOSSL.TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        // For TLS 1.2, only the suites that HTTP/2 allows (RFC 9113 section 9.2.2). HTTP/2 allows every TLS 1.3 suite.
        configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
        configuration.applicationProtocols = ["h2", "http/1.1"]
        do {
            context = try NIOSSLContext(configuration: configuration)
        } catch NIOSSLError.failedToLoadPrivateKey {
            throw Fault(
                key: .tlsKeyFile,
                text: "\(files.keyFile) is not the key of the first certificate in \(files.certificateFile)")
        } catch {
            throw Fault(key: .tlsCertificateFile, text: "\(files.certificateFile) is of a kind that TLS has no use for")
        }
    }

    private static func chain(_ path: String) throws(Fault) -> [NIOSSLCertificate] {
        guard let text = SecretFile.contents(of: path) else {
            throw Fault(key: .tlsCertificateFile, text: "\(path) \(SecretFile.fault(of: path))")
        }
        // Each block is parsed separately: an earlier error in the library's queue would make it fail on a whole file.
        let certificates = blocks(in: text).map { try? NIOSSLCertificate(bytes: Array($0.utf8), format: .pem) }
        guard !certificates.isEmpty, !certificates.contains(nil) else {
            throw Fault(key: .tlsCertificateFile, text: "\(path) is no chain of certificates in PEM")
        }
        return certificates.compactMap(\.self)
    }

    private static func blocks(in text: String) -> [String] {
        let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")
        return text.split(separator: begin, omittingEmptySubsequences: false).dropFirst().map { rest in
            begin + (rest.split(separator: end, maxSplits: 1, omittingEmptySubsequences: false).first ?? "") + end
                + "\n"
        }
    }

    private static func expiry(
        of certificate: NIOSSLCertificate, in path: String, at now: Date
    ) throws(Fault) -> Date {
        let begins = Date(timeIntervalSince1970: TimeInterval(certificate.notValidBefore))
        let expires = Date(timeIntervalSince1970: TimeInterval(certificate.notValidAfter))
        if expires <= now {
            throw Fault(key: .tlsCertificateFile, text: "\(path) has expired (\(RFC3339.text(expires)))")
        }
        if begins > now {
            throw Fault(key: .tlsCertificateFile, text: "\(path) is not valid before \(RFC3339.text(begins))")
        }
        return expires
    }

    private static func key(_ path: String) throws(Fault) -> NIOSSLPrivateKey {
        guard let text = SecretFile.contents(of: path) else {
            throw Fault(key: .tlsKeyFile, text: "\(path) \(SecretFile.fault(of: path))")
        }
        if text.contains("-----BEGIN ENCRYPTED") || text.contains("Proc-Type: 4,ENCRYPTED") {
            throw Fault(key: .tlsKeyFile, text: "\(path) is encrypted: nobody is there to type its passphrase")
        }
        guard text.contains("PRIVATE KEY-----"),
            let key = try? NIOSSLPrivateKey(bytes: Array(text.utf8), format: .pem)
        else { throw Fault(key: .tlsKeyFile, text: "\(path) is no private key in PEM") }
        return key
    }
}
