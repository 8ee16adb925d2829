import Audit
import JSON

/// The types of webhook events.
package enum EventType: String, Sendable, CaseIterable {
    case accountCreated = "account.created"
    case accountChanged = "account.changed"
    case accountLinked = "account.linked"
    case accountUnlinked = "account.unlinked"
    case accountMerged = "account.merged"
    case accountSplit = "account.split"
    case accountChangeUndone = "account.change_undone"
    case accountDisabled = "account.disabled"
    case accountEnabled = "account.enabled"
    case accountDeletionRequested = "account.deletion_requested"
    case accountDeletionCancelled = "account.deletion_cancelled"
    case accountDeleted = "account.deleted"
    case sessionCreated = "session.created"
    case sessionEnded = "session.ended"
    case sessionNewDevice = "session.new_device"
    case passwordChanged = "password.changed"
    case factorAdded = "factor.added"
    case factorRemoved = "factor.removed"
    case providerEvent = "provider.event"

    /// THE TABLE: the event type of each audit row; refusals and unlisted rows have none.
    static func types(of event: AuditEvent) -> [EventType] {
        guard event.outcome == "done" else { return [] }
        switch event.action {
        case "account_created": return [.accountCreated] + (event.sessionID == nil ? [] : [.sessionCreated])
        case "identity_linked":
            // Only these rows mean a new session; in the others the user already had it.
            let begins = event.sessionID != nil && ["both_proved", "accompanying_session"].contains(event.reason)
            return [.accountLinked] + (begins ? [.sessionCreated] : [])
        case "address_claim_cleared" where event.hasKind("phone"): return [.accountChanged]
        // If the end was held back, or a server of the previous version wrote the row, nothing happened.
        case "provider_token_doubtful": return event.reason == "sessions_ended" ? [.providerEvent] : []
        default: return plain[event.action].map { [$0] } ?? []
        }
    }

    private static let plain: [String: EventType] = [
        "identity_moved": .accountLinked, "identity_unlinked": .accountUnlinked,
        // `account_absorbed` is the other half of the same merge.
        "accounts_merged": .accountMerged, "account_split": .accountSplit, "change_undone": .accountChangeUndone,
        "account_disabled": .accountDisabled, "account_closed": .accountDisabled, "account_active": .accountEnabled,
        "deletion_requested": .accountDeletionRequested, "deletion_cancelled": .accountDeletionCancelled,
        "account_deleted": .accountDeleted,
        "address_added": .accountChanged, "address_removed": .accountChanged, "main_address_changed": .accountChanged,
        "profile_changed": .accountChanged,
        "signed_in": .sessionCreated, "app_signed_in": .sessionCreated, "new_device": .sessionNewDevice,
        "session_ended": .sessionEnded, "sessions_ended": .sessionEnded, "sessions_revoked": .sessionEnded,
        // Both end all sessions of the account, except for a number.
        "address_claim_cleared": .sessionEnded, "proof_required": .sessionEnded,
        "password_set": .passwordChanged, "factor_added": .factorAdded, "factor_removed": .factorRemoved,
        "provider_consent_revoked": .providerEvent, "provider_account_deleted": .providerEvent,
        "provider_email_disabled": .providerEvent, "provider_email_enabled": .providerEvent,
        "provider_token_dead": .providerEvent,
    ]
}

extension AuditEvent {
    /// Whether its detail states so.
    fileprivate func hasKind(_ kind: String) -> Bool {
        detail.flatMap { try? JSON(parsing: $0) }?["kind"]?.string == kind
    }
}
