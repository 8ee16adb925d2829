import Audit

extension AuditEventNames {
    /// The message of an event; nil for an unknown one, which is shown by its code.
    static func key(_ action: String) -> String? { contains(action) ? "console.event.\(action)" : nil }
}
