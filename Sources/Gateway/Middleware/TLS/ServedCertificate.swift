import FoundationEssentials
import Logging
import NIOSSL
import ServiceLifecycle
import Settings
import Synchronization

/// The certificate that new connections are shown: read again when its files change.
///
/// Connections that are open keep the one that they began with.
final class ServedCertificate: Sendable {
    private let files: TLSConfiguration
    private let interval: Duration
    private let logger: Logger
    private let served: Mutex<CertificatePair>
    private let stampAtStart: FileStamps

    /// - Parameters:
    ///   - files: where certificate and key are.
    ///   - interval: between two looks at them.
    ///   - logger: for what becomes of a change.
    /// - Throws: ``ConfigurationError`` when the files are of no use.
    init(_ files: TLSConfiguration, interval: Duration = .seconds(2), logger: Logger) throws(ConfigurationError) {
        (self.files, self.interval, self.logger) = (files, interval, logger)
        // Looked at before they are read, so that a change in between is seen later.
        stampAtStart = FileStamps(files)
        do {
            served = Mutex(try CertificatePair(files))
        } catch {
            throw ConfigurationError(complaints: [.init(key: error.key.name, text: error.text)])
        }
    }

    /// What the next connection is made with.
    var context: NIOSSLContext { served.withLock(\.context) }

    /// When clients stop to believe it.
    var expires: Date { served.withLock(\.expires) }

    /// Looks at the files until the server stops.
    func watch() async {
        await cancelWhenGracefulShutdown {
            var tried = self.stampAtStart
            var seen = tried
            while (try? await Task.sleep(for: self.interval)) != nil {
                let stamp = FileStamps(self.files)
                // Who replaces two files one after the other gets the time to finish.
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

/// What changes when one of the two files is written to or replaced, or a link on the way to it is turned.
private struct FileStamps: Equatable {
    private let stamps: [[FileAttributeKey: Double]]

    init(_ files: TLSConfiguration) {
        stamps = [files.certificateFile, files.keyFile].map(Self.stamp)
    }

    /// Number, size, times, owner and mode; nothing for a file that isn't there.
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
