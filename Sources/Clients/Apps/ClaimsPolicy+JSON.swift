package import JSON

extension ClaimsPolicy {
    /// The values of `failure`.
    package enum Failure: String, Sendable, CaseIterable {
        case closed, open
    }

    /// The policy as JSON text, with its attributes by name: the database keeps no order.
    package var text: String {
        ClaimsPolicy(
            service: service, isClosed: isClosed, attributes: attributes.sorted { $0.attribute < $1.attribute },
            refreshSeconds: refreshSeconds
        ).json.text
    }

    /// The policy by the column names of `client_claims`.
    package var json: JSON {
        [
            "url": service.map { .string($0.url) } ?? .null, "audience": service.map { .string($0.audience) } ?? .null,
            "application": .string(service?.application ?? Self.entraApplication),
            "allowed": .array((service?.allowed ?? []).map(JSON.string)),
            "failure": .string((isClosed ? Failure.closed : .open).rawValue), "attributes": attributes.json,
            "refresh_seconds": refreshSeconds.map(JSON.integer) ?? .null,
        ]
    }
}
