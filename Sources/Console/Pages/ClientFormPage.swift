import Clients
import Pages
import Vocabulary

/// `GET /admin/clients/{id}/change` and `GET /admin/new-client`: the settings form.
struct ClientFormPage: ConsolePage {
    static let template = "console_client_form"
    static let previewPath = "/admin/client-preview"
    static let frames = PageFrames.framing

    let frame: ConsoleFrame?
    /// Nil for a new one.
    let client: Facts?
    /// For a new one.
    var id = ""
    let fields: ClientFields
    /// The ids of the configured sign-in methods.
    let methods: [String]
    let linking: [LinkingCount]
    let wrong: [ClientMistake]
    /// The reason in the form of a new app; a change asks for its reason later.
    var reason = ""

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let isNew = client == nil
        var values: [String: Any] = [
            "title": writer.message(isNew ? "console.client.new" : "console.client.change"), "is_new": isNew,
            "target": writer.exact(client.map { ClientsPage.address(of: $0.id, "change") } ?? ClientsPage.newPath),
            "cancel": writer.link(client.map { ClientsPage.address(of: $0.id) } ?? ClientsPage.path),
            "new_id": writer.exact(id), "preview": writer.link(Self.previewPath), "reason": writer.exact(reason),
            "is_disabled": fields.flags.contains("disabled"), "types": types(&writer),
            "guests": flag("guests", &writer),
            "switches": ["custom_challenge", "foreign_nonces"].map { flag($0, &writer) },
            "is_required": fields.texts["second_factor"] == "required",
            "is_relaxed": fields.texts["refresh_rotation"] == "relaxed",
            "bot_checks": botChecks(&writer), "methods": methods(&writer), "policies": policies(&writer),
            "lives": ClientFields.lives.map { span($0, &writer) },
            "lists": ["redirect_uris", "origins"].map { field($0, &writer) },
            "sign_up_names": boxes(
                "sign_up_names", SignInName.Kind.allCases.map(\.rawValue), "console.sign_up_name", &writer),
            "audiences": boxes("audiences", ClientFields.audiences, "console.audience", &writer),
            "attributes": field("attributes", &writer), "accepted": field("accepted_audiences", &writer),
            "claims_lists": ClientFields.claimsLists.map { field($0, &writer) },
            "claims_texts": ["claims_url", "claims_audience", "claims_application"].map { field($0, &writer) },
            "claims_refresh": span("claims_refresh_seconds", &writer),
            "openid": openID(&writer), "brand_texts": ClientFields.brand.map { field($0, &writer) },
            "dialects": DialectFields.ofVendors.map { dialect($0, &writer) },
            "is_open": fields.texts["claims_failure"] == "open",
            "name_field": [field("name", &writer)],
        ]
        values.set("face", client.map { writer.clientFace($0) })
        for name in ["id", "type", "bot_check", "dialects"] { values.set("wrong_\(name)", complaint(name, &writer)) }
        values.set("wrong_rotation", complaint("refresh_rotation", &writer))
        let open = Set(wrong.map { FormPart(of: $0.field) })
        for part in FormPart.allCases { values["opens_\(part.rawValue)"] = open.contains(part) }
        return values
    }

    private static let listsWithHints = [
        "accepted_audiences", "attributes", "claims_attributes", "origins", "redirect_uris",
    ]

    func field(_ name: String, _ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "field_name": name, "field_label": writer.message("console.client.\(name)"),
            "field_value": writer.exact(fields.texts[name] ?? ""),
        ]
        let isList = Self.listsWithHints.contains(name)
        values["hint"] = writer.message("console.client.\(isList ? "\(name)_hint" : "one_a_line")")
        values.set("wrong", complaint(name, &writer))
        return values
    }

    func complaint(_ name: String, _ writer: inout ConsoleWriter) -> String? {
        wrong.first { $0.field == name }.map { mistake in
            var arguments = ["line": "\(mistake.line ?? 1)", "provider": mistake.unknownProvider ?? ""]
            let member = String(name.dropFirst("brand_".count))
            if mistake.word == "brand_contrast",
                let advice = ClientBrand.advice(on: fields.texts[name] ?? "", as: member)
            {
                // Rounded down, so that a refused contrast never looks sufficient.
                let hundredths = Int(advice.contrast * 100)
                // The texts have the decimal mark of their language.
                arguments["whole"] = "\(hundredths / 100)"
                arguments["hundredths"] = "\(hundredths % 100 / 10)\(hundredths % 10)"
                arguments["colour"] = advice.nearest.text
            }
            return writer.message("console.wrong.\(mistake.word)", arguments)
        }
    }

    private func flag(_ name: String, _ writer: inout ConsoleWriter) -> [String: Any] {
        var values = field(name, &writer)
        values["is_on"] = fields.flags.contains(name)
        values["hint"] = writer.message("console.client.\(name)_hint")
        return values
    }

    private func methods(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        // A selected provider that is no longer configured would be lost otherwise.
        let all = methods + fields.providers.filter { !methods.contains($0) }
        return all.map { id in
            [
                "field_name": writer.exact(ClientFields.box("providers", id)),
                "field_label": writer.shown(writer.providerName(id)), "is_chosen": fields.providers.contains(id),
                "box_id": writer.exact("provider-\(id)"),
            ]
        }
    }

    /// The boxes of a setting, with the label `<key>.<entry>` each.
    private func boxes(
        _ name: String, _ entries: [String], _ key: String, _ writer: inout ConsoleWriter
    ) -> [String: Any] {
        var values = field(name, &writer)
        values["hint"] = writer.message("console.client.\(name)_hint")
        values["marker"] = ClientFields.marker(name)
        values["boxes"] = entries.map { entry in
            [
                "box_name": ClientFields.box(name, entry),
                "box_id": ClientFields.box(name, entry).replacing("_", with: "-"),
                "box_label": writer.message("\(key).\(entry)"),
                "is_chosen": fields.chosen[name]?.contains(entry) == true,
            ] as [String: Any]
        }
        return values
    }

    private func botChecks(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        ClientFields.botChecks.map { policy in
            [
                "policy": policy, "policy_label": writer.message("console.bot_check.\(policy)"),
                "is_chosen": fields.texts["bot_check"] == policy,
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
