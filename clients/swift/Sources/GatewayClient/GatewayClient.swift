public import Foundation

/// Signs users in at one login gateway, for one app.
///
/// ```swift
/// let client = GatewayClient(url: address, clientID: "app")
/// switch try await client.signIn(.password(username: name, password: password)) {
/// case .signedIn(let session): print(session.account.id)
/// case .next(let step): show(step)
/// }
/// ```
///
/// It is a value without state of its own: copies share the stored session. Make one when the app starts.
public struct GatewayClient: Sendable {
    let api: API
    let keeper: SessionKeeper
    let device: DeviceMemory

    /// The client of the gateway at an address.
    ///
    /// - Parameters:
    ///   - url: the gateway's `PUBLIC_URL`: https, or plain http on this machine.
    ///   - clientID: the app's id at the gateway.
    ///   - backEnds: the servers of the app that get the user's access token, by scheme, host and port. No other
    ///     address gets it.
    ///   - store: the place of the tokens.
    ///   - proofOfPossession: binds the tokens to a key of this device (DPoP, RFC 9449): `CryptoKitSigner()` on Apple
    ///     systems. Nil for bearer tokens.
    ///   - deviceName: shown to the user in the list of sessions, such as "Ann's phone".
    ///   - languages: of messages to the user, as BCP 47 tags, the preferred one first.
    ///   - transport: sends the requests.
    ///   - consent: finds out whether the user withdrew the consent at the provider.
    public init(
        url: URL, clientID: String, backEnds: [URL] = [], store: any TokenStore = defaultTokenStore(),
        proofOfPossession: (any ProofSigning)? = nil, deviceName: String? = nil,
        languages: [String] = Locale.preferredLanguages,
        transport: any Transport = URLSessionTransport(), consent: any ConsentCheck = defaultConsentCheck()
    ) {
        self.init(
            url: url, clientID: clientID, backEnds: backEnds, store: store, proofOfPossession: proofOfPossession,
            deviceName: deviceName, languages: languages, transport: transport, consent: consent, time: .system)
    }

    /// The same with another clock, for tests.
    package init(
        url: URL, clientID: String, backEnds: [URL], store: any TokenStore,
        proofOfPossession: (any ProofSigning)?, deviceName: String?, languages: [String], transport: any Transport,
        consent: any ConsentCheck, time: TimeSource
    ) {
        let api = API(url: url, clientID: clientID, backEnds: backEnds, transport: transport, languages: languages)
        self.init(
            api: api, store: store, proofOfPossession: proofOfPossession, deviceName: deviceName, consent: consent,
            time: time)
    }

    init(
        api: API, store: any TokenStore, proofOfPossession signer: (any ProofSigning)? = nil, deviceName: String?,
        consent: any ConsentCheck, time: TimeSource
    ) {
        let storage = SessionStorage(store: store, scope: "\(api.url.host ?? "")/\(api.clientID)")
        var api = api
        api.prover = signer.map { Prover(signer: $0, storage: storage, time: time) }
        self.api = api
        device = DeviceMemory(storage: storage, name: deviceName)
        keeper = SessionKeeper(
            circumstances: Circumstances(api: api, storage: storage, time: time, consent: consent, device: device))
    }

    /// The address of the gateway.
    public var url: URL { api.url }

    /// The app's id at the gateway.
    public var clientID: String { api.clientID }

    /// The session of the last sign-in, from memory or from the store; nil if the user is signed out.
    ///
    /// It makes no request: the access token may have expired, and the session refreshes it when it is needed.
    public func session() async throws -> Session? { try await keeper.session() }

    /// Each change of the session, beginning with the current state.
    ///
    /// Every call returns a sequence of its own. It ends with the task that iterates over it.
    public var states: AsyncStream<SessionState> { keeper.states() }

    /// A client for another account of the same user, with its tokens in memory only.
    ///
    /// Merging two accounts needs a session of each: sign in to the other one here.
    public func forAnotherAccount() -> GatewayClient {
        GatewayClient(
            api: api, store: MemoryTokenStore(), proofOfPossession: api.prover?.signer, deviceName: device.name,
            consent: keeper.circumstances.consent, time: keeper.circumstances.time)
    }
}
