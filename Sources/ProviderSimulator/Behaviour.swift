import JSON
import Synchronization

/// An endpoint's behaviour until the next control request.
struct Behaviour: Sendable, Equatable {
    /// The raw value is the name used in control requests.
    enum Mode: String, Sendable, CaseIterable {
        case normal
        /// The correct answer, late.
        case slow
        /// An error status with the provider's kind of body.
        case error
        /// 200 with a JSON content type, but invalid JSON.
        case garbled
        /// 200 and a maintenance page.
        case html
        /// 302 to another host, which counts the clients that follow.
        case redirect
        /// The correct answer with 10 MB of padding in it.
        case huge
        /// A key set without keys; elsewhere an empty object or list.
        case empty
        /// No answer until the caller disconnects, or for a minute.
        case hang
        /// Half of the correct answer, then the end of the connection.
        case truncated
        /// Each key id names two keys; for key sets only.
        case duplicateKid = "duplicate_kid"
    }

    var mode = Mode.normal
    /// Waited before any other action, in milliseconds.
    var delay = 0
    /// The status of `error`.
    var status = 500
    /// Sent as `Retry-After` with `error`, in seconds.
    var retryAfter: Int?
    /// The number of requests until the endpoint is normal again; nil: it never is by itself.
    var remaining: Int?
}

/// The behaviour of each endpoint; a new one replaces its predecessor.
final class Behaviours: Sendable {
    private struct Place: Hashable {
        let provider: ProviderName
        let endpoint: Endpoint
    }

    private let current = Mutex<[Place: Behaviour]>([:])

    func set(_ behaviour: Behaviour, for endpoints: [Endpoint], of provider: ProviderName) {
        current.withLock { current in
            for endpoint in endpoints {
                let place = Place(provider: provider, endpoint: endpoint)
                current[place] = behaviour.mode == .normal && behaviour.delay == 0 ? nil : behaviour
            }
        }
    }

    /// The behaviour for this request, which counts down a limited one.
    func next(for endpoint: Endpoint, of provider: ProviderName) -> Behaviour {
        current.withLock { current in
            let place = Place(provider: provider, endpoint: endpoint)
            guard let behaviour = current[place] else { return Behaviour() }
            guard let remaining = behaviour.remaining else { return behaviour }
            current[place] = remaining > 1 ? behaviour.countedDown(to: remaining - 1) : nil
            return behaviour
        }
    }

    func reset() {
        current.withLock { $0 = [:] }
    }
}

extension Behaviour {
    fileprivate func countedDown(to remaining: Int) -> Behaviour {
        var behaviour = self
        behaviour.remaining = remaining
        return behaviour
    }
}

extension Behaviour {
    /// Reads the members of `POST /control/behaviour`.
    init(_ members: ControlMembers) throws(ControlError) {
        guard let name = try members.text("mode"), let mode = Mode(rawValue: name) else {
            throw ControlError("mode is one of \(Mode.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let usualDelay = mode == .slow ? 1000 : 0
        self.mode = mode
        delay = try members.number("delay_ms", in: 0...60_000) ?? usualDelay
        status = try members.number("status", in: 400...599) ?? 500
        retryAfter = try members.number("retry_after", in: 0...86_400)
        remaining = try members.number("times", in: 1...1_000_000)
        guard mode == .error || members.object["status"] == nil && retryAfter == nil else {
            throw ControlError("status and retry_after belong to the mode error")
        }
    }
}
