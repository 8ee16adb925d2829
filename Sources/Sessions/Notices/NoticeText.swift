import Providers

/// What a person is told about a change of the account.
enum NoticeText {
    static func message(kind: String, from: MailAddress, to address: MailAddress, serviceName: String) -> MailMessage {
        let (subject, sentence) = words(kind)
        return MailMessage(
            from: from, to: address, subject: "\(subject) at \(serviceName)",
            textBody: """
                \(sentence)

                If that was you, there is nothing to do. If it was not, sign in to \(serviceName), look at your account's sign-in
                methods and devices, and end what you do not know.

                """)
    }

    private static func words(_ kind: String) -> (subject: String, sentence: String) {
        switch kind {
        case "identity_linked":
            ("A sign-in method was added to your account", "Another way to sign in was added to your account.")
        case "identity_unlinked":
            (
                "A sign-in method was removed from your account",
                "One of the ways to sign in was removed from your account."
            )
        case "refresh_reuse":
            (
                "A device was signed out of your account",
                "A copy of a device's sign-in was used a second time. That happens when it was stolen, so the device was signed out."
            )
        default: ("Your account changed", "Something about your account was changed.")
        }
    }
}
