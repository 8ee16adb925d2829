import Clients
import Foundation
import Postgres
import TestSupport
import Testing

@testable import SignIn

/// The rule of `devices/knows_device.sql`.
@Suite("New devices")
struct NewDeviceTests {
    /// Two devices of an account, and whether the second is new.
    struct Case: Sendable, CustomTestStringConvertible {
        let what: String
        let first: Device
        let second: Device
        let isNew: Bool
        var testDescription: String { what }
    }

    private static let laptop = Device(agent: Device.chrome(126))

    static let cases = [
        Case(what: "the same", first: laptop, second: laptop, isNew: false),
        Case(what: "an update of the browser", first: laptop, second: Device(agent: Device.chrome(127)), isNew: false),
        Case(what: "another browser", first: laptop, second: Device(agent: Device.firefox), isNew: true),
        Case(
            what: "another network", first: laptop,
            second: Device(agent: Device.chrome(126), address: "198.51.100.7"), isNew: true),
        Case(
            what: "another address of an IPv6 network", first: Device(agent: Device.firefox, address: "2001:db8::1"),
            second: Device(agent: Device.firefox, address: "2001:db8::2"), isNew: false),
        Case(
            what: "another IPv6 network", first: Device(agent: Device.firefox, address: "2001:db8::1"),
            second: Device(agent: Device.firefox, address: "2001:db8:1::1"), isNew: true),
        Case(
            what: "another device name", first: Device(name: "Ann's phone", agent: "App/1.0"),
            second: Device(name: "Ann's tablet", agent: "App/1.0"), isNew: true),
        Case(
            what: "a name without a user agent", first: Device(name: "Ann's phone"),
            second: Device(name: "Ann's phone"), isNew: false),
        Case(
            what: "neither name nor user agent, on another network", first: Device(),
            second: Device(address: "198.51.100.7"), isNew: false),
        Case(
            what: "neither name nor user agent, after a device with both",
            first: Device(name: "Ann's phone", agent: "App/1.0"), second: Device(), isNew: true),
        Case(
            what: "a user agent after a sign-in without one", first: Device(), second: laptop, isNew: true),
    ]

    @Test("S-21: a sign-in is reported where the device differs from every earlier one", arguments: cases)
    func rule(_ it: Case) async throws {
        try await TestCore.with { core in
            let ann = try await core.person(firstOn: it.first)
            #expect(try await core.newDevices(ann) == [], "the first session of an account")
            let signedIn = try await core.signIn(ann, on: it.second)
            #expect(try await core.newDevices(ann) == (it.isNew ? [signedIn.sessionID] : []))
            _ = try await core.signIn(ann, on: it.second)
            #expect(try await core.newDevices(ann).count == (it.isNew ? 1 : 0), "it is known now")
        }
    }

    @Test("without name and user agent, another app is known on the same network, and only the same app on others")
    func otherApp() async throws {
        try await TestCore.with { core in
            let ann = try await core.person(firstOn: Device())
            try await core.change(
                "insert into clients (id, name, linking_policy, providers) select 'other', 'Other', linking_policy, providers from clients where id = 'app'"
            )
            try await core.clients.reload()
            _ = try await core.signIn(ann, on: Device(), app: "other")
            #expect(try await core.newDevices(ann) == [])
            _ = try await core.signIn(ann, on: Device(address: "198.51.100.7"))
            #expect(try await core.newDevices(ann) == [])
            try await core.change("delete from sessions where client_id = 'other' or address = '198.51.100.7'")
            let strange = try await core.signIn(ann, on: Device(address: "198.51.100.7"), app: "other")
            #expect(try await core.newDevices(ann) == [strange.sessionID])
        }
    }

    @Test("a sign-up with a code is the first session, and reports nothing")
    func signUp() async throws {
        try await TestCore.with { core in
            let ann = try await core.signUp("ann@example.com")
            #expect(try await core.newDevices("ann@example.com") == [])
            _ = try await core.signIn("ann@example.com", on: Self.laptop)
            #expect(try await core.newDevices("ann@example.com").contains(ann.sessionID) == false)
            #expect(try await core.newDevices("ann@example.com").count == 1)
        }
    }

    @Test("the mark of a known device counts on any network, and only for its account")
    func mark() async throws {
        try await TestCore.with { core in
            let ann = try await core.person(firstOn: Self.laptop)
            let bob = try await core.person("bob@example.com", firstOn: Self.laptop)
            let token = try #require(try await core.signIn(ann, on: Self.laptop).deviceToken)
            let away = Device(agent: Device.firefox, address: "198.51.100.7", token: token)
            _ = try await core.signIn(ann, on: away)
            #expect(try await core.newDevices(ann) == [])
            _ = try await core.signIn(bob, on: away)
            #expect(try await core.newDevices(bob).count == 1)
        }
    }

    @Test("a live session that the device presents counts; an ended one and one of another account do not")
    func presentedSession() async throws {
        try await TestCore.with { core in
            let ann = try await core.person(firstOn: Self.laptop)
            let bob = try await core.person("bob@example.com", firstOn: Self.laptop)
            let session = try await core.signIn(ann, on: Self.laptop).sessionID
            var away = Device(agent: Device.firefox, address: "198.51.100.7", session: session)
            _ = try await core.signIn(ann, on: away)
            #expect(try await core.newDevices(ann) == [])
            _ = try await core.signIn(bob, on: away)
            #expect(try await core.newDevices(bob).count == 1)
            try await core.change(
                "update sessions set ended_at = now() - interval '1 second', end_reason = 'signed_out' where id = \(session)"
            )
            away.address = "203.0.113.9"
            _ = try await core.signIn(ann, on: away)
            #expect(try await core.newDevices(ann).count == 1)
        }
    }

    @Test("an ended session still counts; a disowned one does not", arguments: [false, true])
    func ended(isDisowned: Bool) async throws {
        try await TestCore.with { core in
            let ann = try await core.person(firstOn: Self.laptop)
            let reason = isDisowned ? "disowned" : "signed_out"
            try await core.change("update sessions set ended_at = now(), end_reason = \(reason)")
            _ = try await core.signIn(ann, on: Self.laptop)
            #expect(try await core.newDevices(ann).count == (isDisowned ? 1 : 0))
        }
    }

    @Test("S-27: neither the browser nor the network of an operator who acted for the user is known")
    func impersonation() async throws {
        try await TestCore.with { core in
            let ann = try await core.person(firstOn: Self.laptop)
            let desk = Device(agent: Device.firefox, address: "198.51.100.7")
            let session = UUID()
            let place: SQL = """
                select count(*)::int from account_emails where address_key = \(ann)
                   and known_place(account_id, null, \(desk.address)) is not null
                """
            try await core.change(act(for: ann, session, on: desk))
            #expect(try await core.count("select count(*)::int from sessions where id = \(session)") == 1)
            #expect(try await core.count(place) == 0)
            for used in [desk, Device(agent: Device.chrome(126), address: "203.0.113.9", session: session)] {
                let before = try await core.newDevices(ann).count
                _ = try await core.signIn(ann, on: used)
                #expect(try await core.newDevices(ann).count == before + 1)
            }
            #expect(try await core.count(place) == 1, "the user's own session")
        }
    }

    private func act(for address: String, _ session: UUID, on device: Device) -> SQL {
        """
        select begin_impersonation(gen_random_uuid(), gen_random_uuid(), account_id, \(session), 'app', '\\x00', 1800,
                                   \(device.address), \(device.agent), 'test')
          from account_emails where address_key = \(address)
        """
    }

    @Test("S-21: after a long absence no session is stored, and the sign-in is reported")
    func absence() async throws {
        try await TestCore.with { core in
            let ann = try await core.person(firstOn: Self.laptop)
            try await core.change("delete from sessions")
            _ = try await core.signIn(ann, on: Self.laptop)
            #expect(try await core.newDevices(ann).count == 1)
        }
    }

    @Test("a step-up on another network replaces a session, and reports nothing")
    func stepUp() async throws {
        try await TestCore.with { core in
            let signedIn = try await core.signUp("ann@example.com")
            let session = try await core.session(signedIn)
            let (mailbox, caller) = ("ann@example.org", Device(address: "198.51.100.7").caller)
            let pending = try await core.factors.begin(.email(mailbox), session: session, caller: TestCore.caller)
            _ = try await core.factors.confirm(
                flow: pending.flow, response: StepResponse(.code(try #require(core.mail.code(to: mailbox)))),
                session: session, caller: TestCore.caller)
            let before = core.mail.code(to: mailbox)
            let step = try await core.flows.stepUp(
                try await core.session(signedIn), device: DeviceHint(), caller: caller
            )
            .pending
            let code = try await poll { core.mail.code(to: mailbox).flatMap { $0 == before ? nil : $0 } }
            let raised = try await core.flows.answer(
                StepResponse(.code(code)), FlowCall(step.flow, device: DeviceHint(name: "Elsewhere"), caller: caller)
            ).signedIn
            #expect(raised.sessionID != signedIn.sessionID)
            #expect(try await core.newDevices("ann@example.com") == [])
        }
    }

    @Test("S-21: two sign-ins from a new device at the same moment are reported once")
    func race() async throws {
        try await TestCore.with { core in
            let ann = try await core.person(firstOn: Self.laptop)
            try await core.together(ann, Device(agent: Device.firefox), Device(agent: Device.firefox))
            #expect(try await core.newDevices(ann).count == 1)
        }
    }

    @Test("of two first sign-ins from two devices at the same moment, one is reported")
    func firstRace() async throws {
        try await TestCore.with { core in
            let ann = try await core.person(firstOn: nil)
            try await core.together(ann, Self.laptop, Device(agent: Device.firefox))
            #expect(try await core.newDevices(ann).count == 1)
        }
    }
}
