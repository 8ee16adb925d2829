import Dispatch
import Foundation

/// Ends the process at SIGTERM or SIGINT, at once and with exit code 0.
///
/// The simulator keeps no state on disk, and a deliberately hanging answer must not delay the stop.
struct StopSignals {
    private let sources: [any DispatchSourceSignal]

    /// Effective as long as the value lives.
    init() {
        sources = [SIGTERM, SIGINT].map { number in
            // Without this the default action ends the process before the source sees the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { exit(0) }
            source.resume()
            return source
        }
    }
}
