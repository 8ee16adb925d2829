import Pages

/// `GET /invitation`: the invited mailbox, and a button that accepts.
struct InvitationPage: Sendable, Hashable {
    let clientName: String
    let mailbox: String
    let hidden: [HiddenField]
}
