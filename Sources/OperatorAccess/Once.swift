package import Postgres

/// The single-use value of a form or a call, so that a repeated request does not act twice.
package enum Once: Sendable {
    case form(FormOnce)
    case call(IdempotentCall)

    /// Spends it in the transaction of the action, before the action: a repetition then waits for the first request.
    ///
    /// - Throws: `accountsChanged` for a form, `idempotencyKeyBusy` for a call that was spent before.
    package func spend(_ connection: Connection) throws {
        switch self {
        case .form(let form): try form.spend(connection)
        case .call(let call): try call.spend(connection)
        }
    }
}
