import FoundationEssentials
import JSON
import Synchronization

/// The requests to the simulated providers: permanent counts, and the last requests of each endpoint.
///
/// It keeps names of parameters and no values except the client id: a log of the simulator contains no secret.
final class RequestLog: Sendable {
    /// One finished request.
    struct Entry: Sendable {
        let time: Date
        let method: String
        let path: String
        let parameters: [String]
        let clientID: String?
        let mode: Behaviour.Mode
        /// Nil if the caller left before the answer.
        let status: Int?
        /// The reason of a refusal.
        let refusal: String?
    }

    fileprivate struct Tally {
        var count = 0
        var refused = 0
        var last: [Entry] = []
    }

    private static let kept = 50

    private let endpoints: [ProviderName: [Endpoint]]
    private let tallies = Mutex<[String: Tally]>([:])

    init(endpoints: [ProviderName: [Endpoint]]) {
        self.endpoints = endpoints
    }

    /// Counts a request on arrival, so that a hanging one is visible at once.
    func arrived(at place: Place) {
        tallies.withLock { $0[place.key, default: Tally()].count += 1 }
    }

    func finished(_ entry: Entry, at place: Place) {
        tallies.withLock { tallies in
            tallies[place.key, default: Tally()].add(entry, keeping: Self.kept)
        }
    }

    func reset() {
        tallies.withLock { $0 = [:] }
    }

    func report(of provider: ProviderName) -> JSONObject {
        let known = (endpoints[provider] ?? []).map { Place(provider: provider.rawValue, endpoint: $0.rawValue) }
        return report(of: provider.rawValue, known + [Place(provider: provider.rawValue, endpoint: Place.unknown)])
    }

    /// Every provider, the unknown paths, and the destination host of redirects.
    func report() -> JSONObject {
        var report: JSONObject = [:]
        for provider in ProviderName.all { report[provider.rawValue] = .object(self.report(of: provider)) }
        for name in [Place.unknown, Place.redirected] {
            report[name] = .object(self.report(of: name, [Place(provider: name, endpoint: Place.unknown)]))
        }
        return ["providers": .object(report)]
    }

    private func report(of provider: String, _ places: [Place]) -> JSONObject {
        let tallies = tallies.withLock(\.self)
        let found = places.map { ($0, tallies[$0.key] ?? Tally()) }
        let endpoints = found.map { JSONObject.Member(name: $0.endpoint, value: $1.report) }
        return [
            "provider": .string(provider), "count": .integer(found.reduce(0) { $0 + $1.1.count }),
            "refused": .integer(found.reduce(0) { $0 + $1.1.refused }), "endpoints": .object(JSONObject(endpoints)),
        ]
    }
}

/// The place of a request in the log.
struct Place: Sendable, Equatable {
    static let unknown = "unknown"
    static let redirected = "redirected"

    let provider: String
    let endpoint: String

    fileprivate var key: String { provider + "/" + endpoint }
}

extension RequestLog.Tally {
    fileprivate mutating func add(_ entry: RequestLog.Entry, keeping limit: Int) {
        if entry.refusal != nil { refused += 1 }
        if last.count >= limit { last.removeFirst() }
        last.append(entry)
    }

    fileprivate var report: JSON {
        ["count": .integer(count), "refused": .integer(refused), "last": .array(last.map(\.report))]
    }
}

extension RequestLog.Entry {
    fileprivate var report: JSON {
        var report: JSONObject = [
            "time": .string(time.formatted(.iso8601)), "method": .string(method), "path": .string(path),
            "parameters": .array(parameters.map(JSON.string)), "mode": .string(mode.rawValue),
            "status": status.map(JSON.integer) ?? .null,
        ]
        report.add("client_id", clientID)
        report.add("refusal", refusal)
        return .object(report)
    }
}
