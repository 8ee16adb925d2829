import Foundation
import Operators
import Providers
import Telemetry

/// Checks of the configured providers, and of our credentials there.
enum ProviderChecks {
    /// One check for each provider.
    ///
    /// They share one load of all documents.
    static func all(_ providers: ProviderRegistry) -> [DeploymentCheck] {
        let loading = Task { await providers.preload() }
        return providers.all.map { provider in
            DeploymentCheck(provider.displayName) {
                guard provider is any KeepsDocuments, let reporting = provider as? any ReportsHealth else {
                    return .passed("its settings are complete; the first sign-in calls it")
                }
                await loading.value
                return result(reporting.health.snapshot)
            }
        }
    }

    private static func result(_ health: ProviderHealth.Snapshot) -> DeploymentCheck.Result {
        if let reason = health.lastFailureReason {
            return .failed(
                "its documents could not be loaded: \(reason)",
                remedy: "Check the issuer or tenant in its settings, and whether the firewall lets this machine out.")
        }
        guard health.lastSuccess != nil else { return .passed("its settings are complete") }
        return .passed("its keys are loaded")
    }

    /// The certificate, secrets and keys, by their expiry.
    static func credentials(_ credentials: ExpiringCredentials, at now: Date) -> DeploymentCheck {
        DeploymentCheck("expiring credentials") {
            let ending = credentials.all.filter { [.soon, .urgent, .over].contains($0.state(at: now)) }
            guard !ending.isEmpty else { return .passed("none expires within 30 days") }
            let list = ending.map { credential in
                "\(credential.name) \(credential.expires.map(RFC3339.text) ?? "")"
            }.joined(separator: ", ")
            let isOver = ending.contains { $0.state(at: now) == .over }
            let remedy = "Renew them: docs/operations.md, “What ends”."
            return isOver
                ? .failed("expired: \(list)", remedy: remedy) : .warning("they expire: \(list)", remedy: remedy)
        }
    }
}
