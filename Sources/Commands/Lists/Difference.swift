import Clients
import JSON

/// The effects of a change, as lines for a terminal.
enum Difference {
    /// Members that the gateway sets itself.
    private static let ignored: Set<String> = ["id", "agent", "created_at", "has_secret", "secret_kept"]

    static func lines(_ application: ClientDesk.Application) -> [String] {
        application.applied.flatMap(lines) + application.undeclared.map { "? \($0)  not in the file, unchanged" }
    }

    /// Such as `1 new, 2 changed, 3 unchanged`.
    static func summary(_ application: ClientDesk.Application) -> String {
        let new = application.applied.count { $0.before == nil }
        let changed = application.applied.count { $0.before != nil && $0.before != $0.after }
        return "\(new) new, \(changed) changed, \(application.applied.count - new - changed) unchanged"
    }

    /// The lines of an app.
    static func lines(_ one: ClientDesk.Applied) -> [String] {
        guard let before = one.before else {
            let settings = ClientDeclaration.declaring(one.after).members.filter { $0.name != "id" }
            return ["+ \(one.id)  new"] + settings.map { "    \($0.name): \(text($0.value))" }
        }
        return lines(of: one.id, before, ClientDeclaration.ordered(one.after))
    }

    /// The lines of any object.
    static func lines(of id: String, _ before: JSON, _ after: JSON) -> [String] {
        guard before != after else { return ["= \(id)  unchanged"] }
        return ["~ \(id)  changed"] + changes(before, after)
    }

    private static func changes(_ before: JSON, _ after: JSON) -> [String] {
        (after.object?.members ?? []).filter { !ignored.contains($0.name) && before[$0.name] != $0.value }
            .flatMap { change($0.name, before[$0.name] ?? .null, $0.value) }
    }

    private static func change(_ name: String, _ before: JSON, _ after: JSON) -> [String] {
        guard let old = before.array, let new = after.array else {
            return ["    \(name): \(text(before)) → \(text(after))"]
        }
        let changes =
            old.filter { !new.contains($0) }.map { "      - \(text($0))" }
            + new.filter { !old.contains($0) }.map { "      + \(text($0))" }
        return changes.isEmpty ? ["    \(name): another order"] : ["    \(name):"] + changes
    }

    private static func text(_ json: JSON) -> String {
        if json.isNull { return "none" }
        return json.string ?? json.text
    }
}
