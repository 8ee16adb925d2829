import Clients

/// The look of one message: the service's name, and the brand of its app.
struct MessageBrand: Sendable, Equatable {
    /// The name of the service in the text, and of the sender of mails.
    let serviceName: String
    /// The id of the app; nil for a message of no known app.
    let client: String?
    /// Nil for the plain look.
    let brand: ClientBrand?

    init(serviceName: String, client: String? = nil, brand: ClientBrand? = nil) {
        self.serviceName = brand?.senderName ?? serviceName
        (self.client, self.brand) = (client, brand)
    }
}

/// The brands of messages, by the app that they belong to.
struct MessageBrands: Sendable {
    private let brand: @Sendable (String?) -> MessageBrand

    /// The same for every message.
    init(_ brand: MessageBrand) { self.brand = { _ in brand } }

    /// An app without a brand has its own name, as on its pages.
    ///
    /// An app that nobody vouches for has none here: a stranger chose its name, and can mail
    /// a code to everybody. Its messages are of no app.
    ///
    /// - Parameters:
    ///   - serviceName: the name in messages of an unknown app.
    ///   - client: an app; nil for a message of no app, such as a notice to an account without sessions.
    init(serviceName: String, client: @escaping @Sendable (String?) -> Client? = { _ in nil }) {
        brand = { id in
            let asked = client(id)
            let client = asked?.isProved == false ? client(nil) : asked
            return MessageBrand(serviceName: client?.name ?? serviceName, client: client?.id, brand: client?.brand)
        }
    }

    func brand(of client: String?) -> MessageBrand { brand(client) }
}
