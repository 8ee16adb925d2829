import Clients
import JSON
import Pages
import Vocabulary

/// The settings of an app for display.
extension ConsoleWriter {
    mutating func clientFace(_ client: Facts) -> [String: Any] {
        let isSealed = client["secret_kept"] == ClientSecret.Storage.sealed.rawValue
        var values: [String: Any] = [
            "client_id": shown(client.id), "client_name": shown(client["name"] ?? client.id),
            "address": link(ClientsPage.address(of: client.id)), "is_disabled": client.flag("disabled"),
            "has_secret": client.flag("has_secret") && !isSealed, "has_sealed_secret": isSealed,
            "is_withdrawn": client.part("agent").flag("withdrawn"),
        ]
        values.set("created", time(client["created_at"]))
        return values
    }

    private mutating func lines(_ lines: [String]) -> [String] { lines.isEmpty ? [message("console.none")] : lines }

    /// The entries of a setting; the known ones have the message `<key>.<entry>`.
    private mutating func lines(_ entries: [String], of known: [String], _ key: String) -> [String] {
        lines(entries.map { known.contains($0) ? message("\(key).\($0)") : shown($0) })
    }

    private mutating func claims(_ fields: ClientFields) -> [String] {
        guard !fields.value("claims").isNull else { return [] }
        return ClientFields.claims.compactMap { name in
            let text = (fields.texts[name] ?? "").replacing("\n", with: ", ")
            guard !text.isEmpty else { return nil }
            let isWord = name == "claims_failure" && ClientFields.failures.contains(text)
            let isSpan = ClientFields.spans.contains(name)
            let value =
                isWord ? message("console.claims_failure.\(text)") : shown(isSpan ? words.span(seconds: text) : text)
            return "\(message("console.client.\(name)")): \(value)"
        }
    }

    private mutating func brand(_ fields: ClientFields) -> [String] {
        ClientFields.brand.compactMap { name in
            guard let text = fields.texts[name], !text.isEmpty else { return nil }
            return "\(message("console.client.\(name)")): \(shown(text))"
        }
    }

    private mutating func dialects(_ fields: ClientFields) -> [String] {
        DialectFields.ofVendors.filter { $0.settings(fields.texts) != nil }.flatMap { dialect(fields, $0) }
    }

    private mutating func dialect(_ fields: ClientFields, _ dialect: DialectFields) -> [String] {
        let texts = dialect.texts.compactMap { name -> String? in
            guard let text = fields.texts[name], !text.isEmpty else { return nil }
            return "\(message("console.client.\(name)")): \(shown(text))"
        }
        let boxes = dialect.boxes.map { line(of: $0, fields) }
        return [message("console.client.\(dialect.name)")] + texts + boxes
    }

    /// The line of a box of a setting with several members.
    private mutating func line(of box: String, _ fields: ClientFields) -> String {
        let answer = message(ClientFields.isOn(box, fields.texts) ? "console.client.yes" : "console.client.no")
        return "\(message("console.client.\(box)")): \(answer)"
    }

    private mutating func openID(_ fields: ClientFields) -> [String] {
        let boxes = ClientFields.openIDBoxes.map { line(of: $0, fields) }
        let choices = ClientFields.openIDChoices.map { choice in
            let text = fields.texts[choice.field] ?? ""
            let value = choice.values.contains(text) ? message("console.\(choice.label(text))") : shown(text)
            return "\(message("console.client.\(choice.field)")): \(value)"
        }
        let texts = (ClientFields.openIDLists + ClientFields.openIDTexts).compactMap { name -> String? in
            guard let text = fields.texts[name]?.replacing("\n", with: ", "), !text.isEmpty else { return nil }
            return "\(message("console.client.\(name)")): \(shown(text))"
        }
        return boxes + choices + texts
    }

    /// A setting for display.
    mutating func lines(of name: String, _ fields: ClientFields) -> [String] {
        let text = fields.texts[name] ?? ""
        switch name {
        case _ where ClientFields.flags.contains(name):
            return [message(fields.flags.contains(name) ? "console.client.yes" : "console.client.no")]
        case "providers": return lines(fields.providers.map { shown(providerName($0)) })
        case "audiences": return lines(fields.audiences, of: ClientFields.audiences, "console.audience")
        case "sign_up_names":
            return lines(fields.signUpNames, of: SignInName.Kind.allCases.map(\.rawValue), "console.sign_up_name")
        case "claims": return lines(claims(fields))
        case "brand": return lines(brand(fields))
        case "openid": return openID(fields)
        case "dialects": return lines(dialects(fields))
        case "type" where ClientFields.types.contains(text): return [message("console.client_type.\(text)")]
        case "linking_policy" where ClientFields.policies.contains(text): return [message("console.linking.\(text)")]
        case "second_factor" where ClientFields.secondFactors.contains(text):
            return [message("console.second_factor.\(text)")]
        case "refresh_rotation" where ClientFields.rotations.contains(text):
            return [message("console.refresh_rotation.\(text)")]
        case "bot_check" where ClientFields.botChecks.contains(text): return [message("console.bot_check.\(text)")]
        case _ where ClientFields.lives.contains(name): return [shown(words.span(seconds: text))]
        default: return text.isEmpty ? [message("console.none")] : text.split(separator: "\n").map { shown("\($0)") }
        }
    }
}
