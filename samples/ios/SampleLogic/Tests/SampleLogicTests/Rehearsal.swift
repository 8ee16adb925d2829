import Foundation
import GatewayClient
import SampleLogic

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The sample with a scripted gateway.
@MainActor
struct Rehearsal {
    let gateway = ScriptedGateway()
    let client: GatewayClient
    let model: SampleModel

    init(store: MemoryTokenStore = MemoryTokenStore()) throws {
        guard let url = URL(string: "https://login.example.com") else { throw URLError(.badURL) }
        client = GatewayClient(url: url, clientID: "app", store: store, transport: gateway)
        model = SampleModel(client: client)
    }

    /// The sign-in screen over the model, as the view connects them.
    ///
    /// The view's closure is not asynchronous: here the test awaits its session.
    func signIn(_ action: SignInScreen.Action, _ entries: [String: String] = [:], stepUp: Session? = nil) async {
        var sessions: [Session] = []
        let form = SignInModel(client: client, dialogues: Dialogues(passkeys: Fake(), apple: Fake())) {
            sessions.append($0)
        }
        if let stepUp { await form.stepUp(stepUp) }
        for (field, text) in entries { form.enter(text, in: field) }
        await form.perform(action)
        while sessions.isEmpty, form.state.problem == nil, form.state.screen.main?.action == .submit {
            if let code = form.state.screen.fields.first?.id { form.enter("123456", in: code) }
            await form.perform(.submit)
        }
        for session in sessions { await model.signedIn(session) }
    }

    /// Signs in by password, and loads the account.
    func signedIn() async {
        await gateway.add((200, Answer.signedIn()), (200, Answer.profile()), (200, Answer.sessions))
        await signIn(.submit, ["username": "ann@example.com", "password": "correct horse"])
    }

    /// Waits for a change that the session announces.
    func screen(_ wanted: SampleModel.Screen) async {
        let (states, continuation) = AsyncStream<SampleModel.State>.makeStream()
        model.changed = { continuation.yield($0) }
        continuation.yield(model.state)
        for await state in states where state.screen == wanted { break }
        model.changed = nil
    }
}

/// Answers each request with the next reply, and keeps the requests.
actor ScriptedGateway: Transport {
    private var replies: [(Int, String)] = []
    private(set) var received: [String] = []

    func add(_ more: (Int, String)...) { replies += more }

    /// The requests since the last call.
    func takeReceived() -> [String] {
        defer { received = [] }
        return received
    }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url, !replies.isEmpty else { throw URLError(.notConnectedToInternet) }
        received.append("\(request.httpMethod ?? "GET") \(url.path)")
        let (status, body) = replies.removeFirst()
        guard let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: [:])
        else { throw URLError(.badServerResponse) }
        return (Data(body.utf8), response)
    }
}

/// The dialogues of the system.
struct Fake: AppleAuthorizer, PasskeyAuthenticator {
    func appleCredential(nonce: Nonce) async throws -> Credential { .apple(idToken: "token", nonce: nonce) }
    func assertion(for options: JSONValue) async throws -> JSONValue { ["id": "passkey"] }
    func registration(for options: JSONValue) async throws -> JSONValue { ["id": "passkey"] }
}
