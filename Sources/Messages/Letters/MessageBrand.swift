import Clients

/// The look of one message: the service's name, and the brand of its app.
struct MessageBrand: Sendable, Equatable {
    /// The name of the service in the text.
    let serviceName: String
    /// Nil for the plain look.
    let brand: ClientBrand?

    init(serviceName: String, brand: ClientBrand? = nil) {
        self.serviceName = brand?.senderName ?? serviceName
        self.brand = brand
    }
}

/// The brands of messages, by the app that they belong to.
struct MessageBrands: Sendable {
    private let brand: @Sendable (String?) -> MessageBrand

    /// The same for every message.
    init(_ brand: MessageBrand) { self.brand = { _ in brand } }

    /// An app without a brand has its own name, as on its pages.
    ///
    /// - Parameters:
    ///   - serviceName: the name in messages of an unknown app.
    ///   - client: an app; nil for a message of no app, such as a notice about the account.
    init(serviceName: String, client: @escaping @Sendable (String?) -> Client? = { _ in nil }) {
        brand = { id in
            let client = client(id)
            return MessageBrand(serviceName: client?.name ?? serviceName, brand: client?.brand)
        }
    }

    func brand(of client: String?) -> MessageBrand { brand(client) }
}
