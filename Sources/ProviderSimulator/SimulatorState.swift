import Cryptography

/// Everything the simulator holds: its providers, what they are told to do wrong, and what was asked of them.
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

    /// As after the start, save that keys stay: a gateway beside it keeps working.
    func reset() {
        behaviours.reset()
        requests.reset()
        secrets.reset()
        for provider in providers.values { provider.reset() }
    }
}
