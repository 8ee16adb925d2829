import Accounts
import Pages

extension DisownedPage: Page {
    static let template = "disowned"

    func masked(by mask: inout TextMask) -> DisownedPage {
        DisownedPage(
            clientName: mask.shown(clientName), removed: removed.map { $0.masked(by: &mask) },
            kept: kept.map { $0.masked(by: &mask) }, resets: resets, hidden: mask.fields(hidden),
            problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "notice.session_disowned.title", client: clientName, problem: problem)
        values["has_removed"] = !removed.isEmpty
        values["removed"] = removed.map { $0.values(in: words) }
        values["has_kept"] = !kept.isEmpty
        values["kept"] = kept.enumerated().map { number, method in
            method.values(in: words).merging(["number": "\(number)"]) { first, _ in first }
        }
        values["resets"] = resets
        values["hidden"] = hidden.map(\.values)
        return values
    }
}

extension DisownedMethod {
    fileprivate func masked(by mask: inout TextMask) -> DisownedMethod {
        DisownedMethod(kind: kind, id: mask.exact(id), name: mask.shown(ifAny: name))
    }

    fileprivate func values(in words: Words) -> [String: Any] {
        let label = words.text(Self.labels[kind] ?? "choice.other")
        var values: [String: Any] = ["kind": kind.rawValue, "id": id, "label": label]
        values["name"] = name
        values["remove_label"] = words.text("account.remove_of", ["factor": name.map { "\(label) \($0)" } ?? label])
        return values
    }

    private static let labels: [Kind: String] = [
        .identity: "account.sign_in_method", .email: "field.email", .phone: "field.phone", .totp: "choice.totp",
        .passkey: "choice.passkey", .password: "field.password", .emailCode: "choice.email", .smsCode: "choice.sms",
        .recoveryCodes: "account.recovery_codes", .merge: "disown.merge", .deletion: "disown.deletion",
    ]
}
