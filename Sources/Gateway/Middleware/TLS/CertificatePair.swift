import FoundationEssentials
import NIOSSL
import Settings

/// A certificate, its chain and its key, found fit to be shown to clients.
struct CertificatePair: Sendable {
    /// Why a pair is of no use, and by which key the operator named the file at fault.
    struct Fault: Error {
        let key: ConfigurationKey
        let text: String
    }

    /// What connections are made with.
    let context: NIOSSLContext
    /// When clients stop to believe the certificate.
    let expires: Date

    /// Reads both files.
    ///
    /// - Throws: ``Fault`` for what can't be read, can't be understood, is out of date, or does not belong together.
    init(_ files: TLSConfiguration, at now: Date = Date()) throws(Fault) {
        let chain = try Self.chain(files.certificateFile)
        expires = try Self.expiry(of: chain[0], in: files.certificateFile, at: now)
        let key = try Self.key(files.keyFile)
        var configuration = NIOSSL.TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        // For TLS 1.2 only what HTTP/2 allows (RFC 9113 section 9.2.2); those of TLS 1.3 are all fit.
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
            throw Fault(key: .tlsCertificateFile, text: "\(path) can't be read as text of at most 64 KiB")
        }
        // One by one: what an earlier failure left in the library's queue would spoil its reading of a whole file.
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
            throw Fault(key: .tlsKeyFile, text: "\(path) can't be read as text of at most 64 KiB")
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
