import Foundation
import NIOCore

/// The reason why the server cannot listen, as a sentence for the operator.
enum StartError: Error, Equatable, CustomStringConvertible {
    case portInUse(host: String, port: Int)
    case portNotPermitted(host: String, port: Int)
    case addressUnknown(host: String, reason: String)

    init(_ error: IOError, host: String, port: Int) {
        switch error.errnoCode {
        case EADDRINUSE: self = .portInUse(host: host, port: port)
        case EACCES, EPERM: self = .portNotPermitted(host: host, port: port)
        default: self = .addressUnknown(host: host, reason: "errno \(error.errnoCode)")
        }
    }

    var description: String {
        switch self {
        case .portInUse(let host, let port): "Port \(port) on \(host) is in use by another program."
        case .portNotPermitted(let host, let port):
            "Listening on port \(port) of \(host) is not permitted to this user."
        case .addressUnknown(let host, let reason): "\(host) is no address to listen on (\(reason))."
        }
    }
}
