import JSON
import Operators

/// The list of a webhook endpoint: the types of its events.
enum EndpointLists: ListSettings {
    static let areHeld = true
    static let lists = [
        ListSetting(
            option: "type", member: "types",
            help:
                "An event type: \(EventType.allCases.map(\.rawValue).joined(separator: ", ")). Without one, every type.",
            meaningOfEmpty: "every type",
            entry: {
                let read = Word.one(of: EventType.self)
                return { .string(try read($0).rawValue) }
            }())
    ]
}

/// The list of an endpoint that does not exist yet.
enum NewEndpointLists: ListSettings {
    static let areHeld = false
    static let lists = EndpointLists.lists
}
