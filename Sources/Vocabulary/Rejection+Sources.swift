import Cryptography
package import Logging
import Postgres
package import Providers

extension Rejection {
    /// The caller's refusal for a provider adapter's error.
    package init(_ error: ProviderError) {
        switch error {
        case .invalidRequest(let member, let reason, let accepted):
            self = .invalidField(.credential(member), FieldFault(rawValue: reason).accepting(accepted))
        case .refused(let refusal): self = .credential(refusal)
        case .unavailable(_, let retryAfter): self = .providerUnavailable(retryAfter: retryAfter)
        case .misconfigured: self = .providerMisconfigured
        }
    }

    /// Converts any error of the database, the hasher or a provider into a refusal.
    ///
    /// Faults of this service become `internalError` and are logged here, without secrets.
    package init(_ error: any Error, _ logger: Logger) {
        switch error {
        case let rejection as Rejection: self = rejection
        case let error as ProviderError: self = Rejection(error)
        case let error as PostgresError: self = Rejection(error, logger)
        case let error as PasswordHashError: self = Rejection(error, logger)
        case is CancellationError: self = .overloaded(retryAfter: 1)
        default:
            logger.error("an unexpected error", metadata: ["type": "\(type(of: error))"])
            self = .internalError
        }
    }

    /// The refusal for a temporary database error; nil for other errors, which are faults of this service.
    package init?(passing error: any Error) {
        guard let error = error as? PostgresError else { return nil }
        switch error {
        case .connectionLost(maybeCommitted: true): self = .outcomeUnknown(retryAfter: 2)
        case .unavailable, .connectionLost, .closed: self = .databaseUnavailable(retryAfter: 2)
        case .overloaded, .timedOut, .cancelled: self = .overloaded(retryAfter: 1)
        case .statement where error.isContention: self = .overloaded(retryAfter: 1)
        // The pool logs it once a second.
        case .statement where error.mayPass: self = .databaseUnavailable(retryAfter: 5)
        default: return nil
        }
    }

    private init(_ error: PostgresError, _ logger: Logger) {
        if let passing = Rejection(passing: error) {
            self = passing
        } else {
            logger.error("the database refused a statement", metadata: ["error": "\(error.diagnostic)"])
            self = .internalError
        }
    }

    private init(_ error: PasswordHashError, _ logger: Logger) {
        guard error != .busy else {
            self = .overloaded(retryAfter: 1)
            return
        }
        logger.error("a password hash can't be checked", metadata: ["error": "\(error)"])
        self = .internalError
    }
}

/// Runs a step and turns every error into a ``Rejection``.
package func rejecting<T>(_ logger: Logger, _ step: () async throws -> T) async throws(Rejection) -> T {
    do {
        return try await step()
    } catch {
        throw Rejection(error, logger)
    }
}
