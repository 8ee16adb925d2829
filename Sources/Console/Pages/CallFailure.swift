import Pages

/// The reason of a failed call to a provider or an endpoint; the label of each is the message `console.failure.<it>`.
enum CallFailure: String, CaseIterable {
    case timeout, unreachable, tls, address
    /// The answer can't be used.
    case answer
    /// The provider or endpoint refuses the gateway's own key or secret.
    case credentials
    /// The circuit is open: several calls failed, so none is made for a while.
    case paused
    case busy
    case notSent = "not_sent"

    /// - Parameter word: the stable word of a provider's health or of a delivery.
    init(_ word: String) {
        self =
            switch word {
            case "upstream_timeout", "timed_out", "password_change_slow": .timeout
            case "upstream_unavailable", "connection_failed", "resolve_failed": .unreachable
            case "tls_failed": .tls
            case "address_refused", "redirect_refused": .address
            case "client_secret_rejected": .credentials
            case "circuit_open": .paused
            case "upstream_throttled": .busy
            case "not_sent", "cancelled", "outbound_overloaded", "shutting_down", "secret_unreadable": .notSent
            default: .answer
            }
    }

    func text(_ words: Words) -> String { words.text("console.failure.\(rawValue)") }
}
