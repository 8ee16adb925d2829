/// A finished part of a request: the request itself, a statement, a call of a service, hashing.
///
/// Names and attributes come from the code, the routes and the configuration. They contain no value of a request.
package struct TraceSpan: Sendable {
    /// OTLP's numbers.
    package enum Kind: Int, Sendable {
        case inside = 1
        case server = 2
        case client = 3
    }

    package enum Attribute: Sendable, Equatable {
        case text(String)
        case number(Int)
    }

    package let id: UInt64
    /// Zero for a span without a parent.
    package let parent: UInt64
    package let kind: Kind
    package let name: String
    package let start: ContinuousClock.Instant
    package let end: ContinuousClock.Instant
    package var attributes: [(name: String, value: Attribute)]
    package var hasFailed: Bool

    package init(
        id: UInt64, parent: UInt64, kind: Kind, name: String, start: ContinuousClock.Instant,
        end: ContinuousClock.Instant, attributes: [(name: String, value: Attribute)] = [], hasFailed: Bool = false
    ) {
        (self.id, self.parent, self.kind, self.name) = (id, parent, kind, name)
        (self.start, self.end, self.attributes, self.hasFailed) = (start, end, attributes, hasFailed)
    }
}
