import Foundation
import GatewayClient
import GatewayClientTesting
import SampleLogic

/// The sample with a gateway in memory.
@MainActor
final class Rehearsal {
    let gateway: FakeGateway
    let client: GatewayClient
    let model: SampleModel
    private var seen = 0

    init(_ gateway: FakeGateway = FakeGateway(), store: MemoryTokenStore = MemoryTokenStore()) async {
        self.gateway = gateway
        client = gateway.client(store: store)
        model = SampleModel(client: client)
        let sessions = FakeGateway.Reply.answer(Answer.sessions)
        await gateway.on("GET /v1/account/sessions", sessions, sessions, sessions)
    }

    /// The calls since the last question.
    func calls() async -> [String] {
        let all = await gateway.calls.map(\.name)
        defer { seen = all.count }
        return Array(all[seen...])
    }

    /// The sign-in screen over the model, as the view connects them.
    ///
    /// The view's closure is not asynchronous: here the test awaits its session.
    func signIn(_ action: SignInScreen.Action, _ entries: [String: String] = [:], stepUp: Session? = nil) async {
        var sessions: [Session] = []
        let dialogues = FakeDialogues()
        let form = SignInModel(client: client, dialogues: Dialogues(passkeys: dialogues, apple: dialogues)) {
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
