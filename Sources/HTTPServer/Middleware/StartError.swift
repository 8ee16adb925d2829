import Foundation
import NIOCore

/// The reason why the server cannot listen, as a sentence for the operator.
enum StartError: Error, Equatable, CustomStringConvertible {
    /// `setting`: the name of the port's setting.
    case portInUse(host: String, port: Int, setting: String)
    case portNotPermitted(host: String, port: Int, setting: String)
    case addressUnknown(host: String, reason: String)

    /// Runs what listens on an address; a fault names the address and the setting of its port.
    static func naming(
        _ host: String, _ port: Int, _ setting: String, _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as IOError {
            throw StartError(error, host: host, port: port, setting: setting)
        } catch let error as NIOCore.SocketAddressError {
            throw StartError.addressUnknown(host: host, reason: "\(error)")
        }
    }

    init(_ error: IOError, host: String, port: Int, setting: String) {
        switch error.errnoCode {
        case EADDRINUSE: self = .portInUse(host: host, port: port, setting: setting)
        case EACCES, EPERM: self = .portNotPermitted(host: host, port: port, setting: setting)
        default: self = .addressUnknown(host: host, reason: "errno \(error.errnoCode)")
        }
    }

    var description: String {
        switch self {
        case .portInUse(let host, let port, let setting):
            "Port \(port) on \(host) is in use by another program. Stop that one, or set \(setting) to a free port."
        case .portNotPermitted(let host, let port, let setting):
            "Listening on port \(port) of \(host) is not permitted to this user. Set \(setting) to another port."
        case .addressUnknown(let host, let reason): "\(host) is no address to listen on (\(reason))."
        }
    }
}
