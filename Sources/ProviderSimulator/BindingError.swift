import Foundation

/// The requested address is unavailable; the operator reads its description.
struct BindingError: Error, Equatable, CustomStringConvertible {
    let host: String
    let port: Int
    /// The `errno` of the failed call; 0 if the host has no address.
    let code: Int32

    var description: String {
        switch code {
        case EADDRINUSE: "port \(port) on \(host) is in use; stop the other program or choose another port with --port."
        case EACCES: "port \(port) on \(host) may not be bound by this user; choose one above 1023 with --port."
        case EADDRNOTAVAIL: "\(host) is not an address of this machine; choose another with --host."
        case 0: "\(host) has no address; choose another with --host."
        default: "can't listen on \(host):\(port) (system error \(code))."
        }
    }
}
