/// `GET /admin/clients/{id}/change` and `GET /admin/new-client`: the settings form.
struct ClientFormPage: ConsolePage {
    static let template = "console_client_form"

    let frame: ConsoleFrame?
    /// Nil for a new one.
    let client: Facts?
    /// For a new one.
    let id: String
    let isConfidential: Bool
    let fields: ClientFields
    /// The configured providers.
    let providers: [(id: String, name: String)]
    let linking: [LinkingCount]
    let wrong: [ClientMistake]

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let isNew = client == nil
        var values: [String: Any] = [
            "title": writer.message(isNew ? "console.client.new" : "console.client.change"), "is_new": isNew,
            "target": writer.exact(client.map { ClientsPage.address(of: $0.id, "change") } ?? ClientsPage.newPath),
            "cancel": writer.link(client.map { ClientsPage.address(of: $0.id) } ?? ClientsPage.path),
            "new_id": writer.exact(id), "is_confidential": isConfidential, "is_disabled": fields.isDisabled,
            "allows_guests": fields.allowsGuests,
            "is_kept": fields.texts["type"] == "confidential", "has_type": !isNew,
            "is_required": fields.texts["second_factor"] == "required",
            "is_relaxed": fields.texts["refresh_rotation"] == "relaxed",
            "boxes": boxes(&writer), "policies": policies(&writer),
            "lives": ClientFields.lives.map { field($0, &writer) },
            "lists": ["origins", "redirect_uris"].map { field($0, &writer) },
            "permissions": permissions(&writer),
            "audiences_field": [field("accepted_audiences", &writer)],
            "name_field": [field("name", &writer)],
        ]
        values.set("face", client.map { writer.clientFace($0) })
        values.set("wrong_id", complaint("id", &writer))
        values.set("wrong_type", complaint("type", &writer))
        values.set("wrong_guests", complaint("guests", &writer))
        values.set("wrong_rotation", complaint("refresh_rotation", &writer))
        values.set("wrong_audiences", complaint("audiences", &writer))
        return values
    }

    private func field(_ name: String, _ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "field_name": name, "field_label": writer.message("console.client.\(name)"),
            "field_value": writer.exact(fields.texts[name] ?? ""),
        ]
        values.set("wrong", complaint(name, &writer))
        return values
    }

    private func complaint(_ name: String, _ writer: inout ConsoleWriter) -> String? {
        wrong.first { $0.field == name }.map { mistake in
            writer.message(
                "console.wrong.\(mistake.word)",
                ["line": "\(mistake.line ?? 1)", "provider": mistake.unknownProvider ?? ""])
        }
    }

    private func boxes(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        // A selected provider that is no longer configured would be lost otherwise.
        let known = Set(providers.map(\.id))
        let all = providers + fields.providers.filter { !known.contains($0) }.map { (id: $0, name: $0) }
        return all.map { provider in
            [
                "field_name": writer.exact(ClientFields.fieldName(ofProvider: provider.id)),
                "field_label": writer.shown(provider.name), "is_chosen": fields.providers.contains(provider.id),
                "box_id": writer.exact("provider-\(provider.id)"),
            ]
        }
    }

    private func permissions(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        ClientFields.audiences.map { name in
            [
                "field_name": ClientFields.fieldName(ofAudience: name), "is_chosen": fields.audiences.contains(name),
                "field_label": writer.message("console.audience.\(name)"), "box_id": "audience-\(name)",
            ]
        }
    }

    private func policies(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        ClientFields.policies.map { policy in
            let count = linking.first { $0.policy == policy }
            var values: [String: Any] = [
                "policy": policy, "policy_label": writer.message("console.linking.\(policy)"),
                "is_chosen": fields.texts["linking_policy"] == policy,
            ]
            values.set("has_counts", count != nil)
            values.set("counts", count?.values(&writer)["counts"])
            return values
        }
    }
}
