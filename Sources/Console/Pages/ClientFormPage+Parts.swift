/// The settings with several members in the form.
extension ClientFormPage {
    func types(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        ClientFields.types.map { type in
            [
                "type": type, "type_label": writer.message("console.client_type.\(type)"),
                "is_chosen": type == (fields.isConfidential ? "confidential" : "public"),
            ]
        }
    }

    /// A length of time, as a number and its unit.
    func span(_ name: String, _ writer: inout ConsoleWriter) -> [String: Any] {
        var values = field(name, &writer)
        let parts = ClientFields.parts(ofSeconds: fields.texts[name] ?? "")
        values["field_value"] = writer.exact(parts.number)
        values["unit_name"] = ClientFields.unit(of: name)
        values["units"] = ClientFields.units.map { unit, _ in
            ["unit": unit, "unit_label": writer.message("console.unit.\(unit)"), "is_chosen": unit == parts.unit]
                as [String: Any]
        }
        return values
    }

    func openID(_ writer: inout ConsoleWriter) -> [String: Any] {
        [
            "openid_boxes": ClientFields.openIDBoxes.map { box($0, &writer) },
            "openid_choices": ClientFields.openIDChoices.map { choice($0, &writer) },
            "openid_lists": ClientFields.openIDLists.map { field($0, &writer) },
            "openid_texts": ClientFields.openIDTexts.map { field($0, &writer) },
        ]
    }

    func dialect(_ dialect: DialectFields, _ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "dialect": dialect.name, "dialect_label": writer.message("console.client.\(dialect.name)"),
            "dialect_hint": writer.message("console.client.\(dialect.name)_hint"),
            "dialect_texts": dialect.texts.map { field($0, &writer) },
            "dialect_boxes": dialect.boxes.map { box($0, &writer) },
        ]
        values.set("dialect_choice", dialect.choice.map { choice($0, &writer) })
        values.set("wrong_dialect", complaint(dialect.name, &writer))
        return values
    }

    private func box(_ name: String, _ writer: inout ConsoleWriter) -> [String: Any] {
        var values = field(name, &writer)
        values["is_on"] = ClientFields.isOn(name, fields.texts)
        values["hint"] = writer.message("console.client.\(name)_hint")
        return values
    }

    private func choice(_ choice: FieldChoice, _ writer: inout ConsoleWriter) -> [String: Any] {
        var values = field(choice.field, &writer)
        values["hint"] = writer.message("console.client.\(choice.field)_hint")
        values["options"] = zip(choice.values, choice.labels).map { value, label in
            [
                "option": value, "option_label": writer.message("console.\(label)"),
                "is_chosen": fields.texts[choice.field] == value,
            ]
        }
        return values
    }
}
