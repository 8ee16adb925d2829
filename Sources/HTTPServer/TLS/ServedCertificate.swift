package import FoundationEssentials
package import Logging
import NIOSSL
import ServiceLifecycle
package import Settings
import Synchronization
import Telemetry

/// The certificate for new connections; the server reads it again when its files change.
///
/// Open connections keep their certificate.
package final class ServedCertificate: Sendable {
    private let files: TLSConfiguration
    private let interval: Duration
    private let logger: Logger
    private let served: Mutex<CertificatePair>
    private let stampAtStart: FileStamps

    /// - Parameters:
    ///   - files: the paths of certificate and key.
    ///   - interval: the time between two checks of the files.
    ///   - logger: for the results of a change.
    /// - Throws: ``ConfigurationError`` if the files are unusable.
    package init(_ files: TLSConfiguration, interval: Duration = .seconds(2), logger: Logger) throws(ConfigurationError)
    {
        (self.files, self.interval, self.logger) = (files, interval, logger)
        // The stamps precede the reading, so that a later check detects a change in between.
        stampAtStart = FileStamps(files)
        do {
            served = Mutex(try CertificatePair(files))
        } catch {
            throw ConfigurationError(complaints: [.init(key: error.key.name, text: error.text)])
        }
    }

    /// The TLS context for the next connection.
    var context: NIOSSLContext { served.withLock(\.context) }

    /// The expiry of the certificate.
    package var expires: Date { served.withLock(\.expires) }

    /// Checks the files until the server stops.
    func watch() async {
        await cancelWhenGracefulShutdown {
            var tried = self.stampAtStart
            var seen = tried
            while (try? await Task.sleep(for: self.interval)) != nil {
                let stamp = FileStamps(self.files)
                // Replacing one file after the other takes an administrator some time.
                if stamp == seen, stamp != tried {
                    tried = stamp
                    self.replace()
                }
                seen = stamp
            }
        }
    }

    private func replace() {
        do {
            let pair = try CertificatePair(files)
            served.withLock { $0 = pair }
            logger.notice("the certificate was replaced", metadata: ["expires": "\(RFC3339.text(pair.expires))"])
        } catch {
            logger.error(
                "a new certificate is of no use, the old one stays",
                metadata: ["key": "\(error.key.name)", "reason": "\(error.text)"])
        }
    }
}

/// The attributes of both files.
///
/// They change when a file is written or replaced, or when a link on its path changes.
private struct FileStamps: Equatable {
    private let stamps: [[FileAttributeKey: Double]]

    init(_ files: TLSConfiguration) {
        stamps = [files.certificateFile, files.keyFile].map(Self.stamp)
    }

    /// Number, size, times, owner and mode; empty for a missing file.
    private static func stamp(_ path: String) -> [FileAttributeKey: Double] {
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        return attributes?.compactMapValues { value in
            switch value {
            case let date as Date: date.timeIntervalSince1970
            case let number as any BinaryInteger: Double(number)
            default: nil
            }
        } ?? [:]
    }
}
