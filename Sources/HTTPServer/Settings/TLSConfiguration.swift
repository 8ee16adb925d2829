import Settings

/// The certificate and key files of the public door.
package struct TLSConfiguration: Sendable, Equatable {
    /// `TLS_CERTIFICATE_FILE`: the server's certificate and its chain.
    ///
    /// File, no default (plain HTTP), not secret.
    let certificateFile: String
    /// `TLS_KEY_FILE`: the certificate's private key.
    ///
    /// File, needed with the certificate, secret.
    let keyFile: String
}

extension TLSConfiguration {
    static let keys: [ConfigurationKey] = [.tlsCertificateFile, .tlsKeyFile]

    /// Reads both settings and checks the files.
    ///
    /// - Returns: `nil` if both settings are unset.
    init?(_ settings: inout SettingsReader) {
        let certificate = settings.text(.tlsCertificateFile)
        let key = settings.text(.tlsKeyFile)
        guard certificate != nil || key != nil else { return nil }
        guard let certificate, let key else {
            settings.complain(
                key == nil ? .tlsKeyFile : .tlsCertificateFile, "is missing: a certificate and its key go together")
            return nil
        }
        self.init(certificateFile: certificate, keyFile: key)
        do {
            _ = try CertificatePair(self)
        } catch {
            settings.complain(error.key, error.text)
        }
    }
}

extension ConfigurationKey {
    static let tlsCertificateFile = ConfigurationKey(
        "TLS_CERTIFICATE_FILE", .server, .file, shownAs: "plain HTTP",
        example: .form("/etc/login-gateway/fullchain.pem"),
        "The server's certificate, then its chain, in PEM. If set, `PORT` speaks TLS 1.2 and 1.3, HTTP/2 and HTTP/1.1. Reloaded when the file changes."
    )
    static let tlsKeyFile = ConfigurationKey(
        "TLS_KEY_FILE", .server, .file, namesSecretFile: true, example: .form("/etc/login-gateway/privkey.pem"),
        "The certificate's private key in PEM, unencrypted; mode 600.")
}
