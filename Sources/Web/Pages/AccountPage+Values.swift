import Pages

extension AccountPage: Page {
    static let template = "account"

    func masked(by mask: inout TextMask) -> AccountPage {
        AccountPage(
            name: mask.shown(ifAny: name), email: mask.shown(ifAny: email), content: content.masked(by: &mask),
            links: links.map { $0.masked(by: &mask) }, app: app.map { $0.masked(by: &mask) },
            deletionDue: deletionDue.map { mask.date($0) },
            removalDue: removalDue.map { mask.moment($0) }, hidden: mask.fields(hidden),
            done: done.flatMap { AccountNotice(rawValue: $0)?.rawValue }, problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        let heading = words.text(section.headingKey)
        var values: [String: Any] = [
            "title": "\(heading) – \(words.text("account.heading"))", "width": "wide",
            "section_template": section.template, "links": links.map { $0.values(in: words, current: section) },
            "hidden": hidden.map(\.values), "section": section.rawValue, "needs_times_script": true,
        ]
        values.merge(content.values(in: words)) { first, _ in first }
        values["name"] = name
        values["email"] = email
        values["username"] = email
        values["who"] = name ?? email
        values["app"] = app.map { app in
            ["address": app.address, "label": words.sentence("account.back_to", ["app": app.name])]
        }
        values["deletion_due"] = deletionDue.map { ["sentence": words.sentence("account.deletion_due", ["date": $0])] }
        values["removal_due"] = removalDue.map { ["sentence": words.sentence("account.removal_due", ["date": $0])] }
        values["done"] = done.map { words.text("account.done.\($0)") }
        values.merge(words.values(of: problem, fields: content.fields)) { first, _ in first }
        return values
    }
}

extension AccountSection {
    fileprivate var template: String {
        switch self {
        case .profile: "account_profile"
        case .signInMethods: "account_sign_in_methods"
        case .twoStep: "account_two_step"
        case .devices: "account_devices"
        case .activity: "account_activity"
        case .data: "account_data"
        }
    }
}

extension AccountPage.Content {
    /// The fields that show their own problem.
    fileprivate var fields: Set<FormField> {
        if case .signInMethods(let methods) = self, methods.hasPassword { [.password, .currentPassword] } else { [] }
    }

    fileprivate func masked(by mask: inout TextMask) -> Self {
        switch self {
        case .profile(let profile): .profile(profile.masked(by: &mask))
        case .signInMethods(let methods): .signInMethods(methods.masked(by: &mask))
        case .twoStep(let factors): .twoStep(factors.masked(by: &mask))
        case .devices(let devices): .devices(devices.masked(by: &mask))
        case .activity(let activity): .activity(activity.masked(by: &mask))
        case .data: .data
        }
    }

    fileprivate func values(in words: Words) -> [String: Any] {
        switch self {
        case .profile(let profile): profile.values(in: words)
        case .signInMethods(let methods): methods.values(in: words)
        case .twoStep(let factors): factors.values(in: words)
        case .devices(let devices): devices.values(in: words)
        case .activity(let activity): activity.values
        case .data: [:]
        }
    }
}

extension AccountPage.SectionLink {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(section: section, address: mask.address(address))
    }

    fileprivate func values(in words: Words, current: AccountSection) -> [String: Any] {
        [
            "id": section.rawValue, "address": address, "label": words.text(section.headingKey),
            "is_current": section == current,
        ]
    }
}

extension AccountPage.AppLink {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(name: mask.shown(name), address: mask.address(address))
    }
}
