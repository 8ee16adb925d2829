import Foundation
import Postgres
import Testing

@testable import Accounts
@testable import OperatorAccess
@testable import Sessions
@testable import SignIn
@testable import Vocabulary

/// The changes of second factors and of addresses.
extension EndingPerformance {
    private static let mailboxes = ["ann@example.org", "ann@example.net"]

    static let factors: [Self] = additions + removals

    private static let additions: [Self] = [
        Self(.factorAdded) { scene in
            try await scene.beginFactor(mailboxes[0])
        } perform: { scene, flow in
            _ = try await scene.core.factors.confirm(
                flow: flow, response: scene.code(to: mailboxes[0]), session: scene.asking, caller: TestCore.caller)
        },
        // No test of this target has an authenticator, so the effect of the answer is called.
        Self(.passkeyAdded) { scene, _ in
            try await scene.call(
                """
                select coalesce(apply_flow_effect(\(scene.account),
                    '{"kind": "add_passkey", "passkey": {
                        "id": "0190c0de-0000-7000-8000-000000000001", "credential": "01", "public_key": "02", "algorithm": -7,
                        "counter": 0, "transports": [], "backup_eligible": false, "backed_up": false, "attestation": "none"}}',
                    null, \(scene.asking.facts.session), 'app', null, 'test'), 'added')
                """, gives: "added")
        },
    ]

    private static let removals: [Self] = [
        Self(.factorRemoved) { scene in
            try await scene.addFactor(mailboxes[0])
            return try await scene.addFactor(mailboxes[1])
        } perform: { scene, factor in
            try await scene.removeFactor(factor)
        },
        Self(.lastFactorRemoved) { scene in
            try await scene.addFactor(mailboxes[0])
        } perform: { scene, factor in
            try await scene.removeFactor(factor)
        },
        Self(.passkeyRemoved) { scene in
            try await scene.addPasskey()
        } perform: { scene, passkey in
            try await scene.removeFactor(passkey)
        },
        Self(.allFactorsRemoved) { scene in
            try await scene.people.enrol(scene.account)
            return ""
        } perform: { scene, _ in
            _ = try await scene.people.care.removeFactors(
                of: scene.account, because: People.reason, by: People.commandLine)
        },
        Self(.recoveryCodesReplaced) { scene in
            try await scene.addFactor(mailboxes[0])
        } perform: { scene, _ in
            _ = try await scene.core.factors.replaceRecoveryCodes(session: scene.asking, caller: TestCore.caller)
        },
    ]

    static let addresses: [Self] = mails + numbers

    private static let mails: [Self] = [
        Self(.addressAdded) { scene in
            try await scene.beginAddress(mailboxes[0])
        } perform: { scene, flow in
            try await scene.confirmAddress(mailboxes[0], flow)
        },
        Self(.addressRemoved) { scene in
            try await scene.addAddress()
        } perform: { scene, address in
            try await scene.core.account.addresses.remove(address, session: scene.asking, caller: TestCore.caller)
        },
        Self(.addressPreferred) { scene in
            try await scene.addAddress()
        } perform: { scene, address in
            try await scene.core.account.addresses.prefer(address, session: scene.asking, caller: TestCore.caller)
        },
        Self(.proofRequired) { scene in
            try await scene.addAddress()
        } perform: { scene, address in
            try await scene.people.care.requireProof(
                address, of: scene.account, because: People.reason, by: People.commandLine)
        },
        Self(.addressClaimLost) { scene in
            try await scene.core.change(
                """
                insert into account_emails (account_id, address_key, address, source, is_main)
                values (\(scene.account), 'claim@example.com', 'claim@example.com', 'person', false)
                """)
            return "claim@example.com"
        } perform: { scene, address in
            _ = try await scene.core.signUp(address)
        },
    ]

    // The core of a test sends no texts: a back end vouches for the number.
    private static let numbers: [Self] = [
        Self(.numberAdded) { scene in
            try await scene.addNumber(isProved: false)
        } perform: { scene, _ in
            try await scene.call(
                "select vouch_for_address(\(scene.account), 'phone', 'app', 'test')", gives: "proved")
        },
        Self(.numberPreferred) { scene in
            try await scene.addNumber(isProved: true)
        } perform: { scene, number in
            try await scene.core.account.addresses.prefer(number, session: scene.asking, caller: TestCore.caller)
        },
    ]
}
