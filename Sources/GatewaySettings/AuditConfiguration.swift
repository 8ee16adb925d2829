import Audit
import Settings

/// The retention and limits of the audit log.
package struct AuditConfiguration: Sendable, Equatable {
    /// `AUDIT_KEEP_MONTHS`: the retention in whole months, in addition to the current one; 0 keeps everything.
    ///
    /// Months, default 0, not secret.
    package let keepMonths: Int
    /// `AUDIT_REFUSALS_PER_MINUTE`: refusals of one kind from one network per minute that get their own row.
    ///
    /// Further refusals share one row.
    ///
    /// Number, default 10, not secret.
    package let refusalsPerMinute: Int
}

extension AuditConfiguration {
    static let keys: [ConfigurationKey] = [.auditKeepMonths, .auditRefusals]

    init(_ settings: inout SettingsReader) {
        keepMonths = settings.number(.auditKeepMonths, in: 0...1_200)
        refusalsPerMinute = settings.number(.auditRefusals, in: 1...1_000_000)
        if (1..<AuditRetention.fewestMonths).contains(keepMonths) {
            settings.complain(.auditKeepMonths, "must be 0, or \(AuditRetention.fewestMonths) at least")
        }
    }
}

extension ConfigurationKey {
    static let auditKeepMonths = ConfigurationKey(
        "AUDIT_KEEP_MONTHS", .audit, .number, default: "0",
        "Whole months of the audit log to keep, at least 3; older ones are dropped. 0 keeps all.")
    static let auditRefusals = ConfigurationKey(
        "AUDIT_REFUSALS_PER_MINUTE", .audit, .number, default: "10",
        "Refusals of one kind from one network that get an audit row each per minute. One more row counts the others."
    )
}
