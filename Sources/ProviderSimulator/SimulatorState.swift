import Cryptography

/// The state of the simulator: its providers, their configured faults, and the request log.
struct SimulatorState: Sendable {
    let secrets: AppleClientSecrets
    let providers: [ProviderName: any SimulatedProvider]
    let behaviours = Behaviours()
    let requests: RequestLog

    init() throws(OpenSSLError) {
        secrets = try AppleClientSecrets()
        let secrets = secrets
        let all = SimulatedProviders.all.map { $0.make(secrets) }
        providers = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
        requests = RequestLog(endpoints: providers.mapValues(\.endpoints))
    }

    /// Restores the initial state except the keys, so that a running gateway continues to work.
    func reset() {
        behaviours.reset()
        requests.reset()
        secrets.reset()
        for provider in providers.values { provider.reset() }
    }
}
