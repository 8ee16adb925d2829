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
    let serviceName: String
    private let brand: @Sendable (String?) -> ClientBrand?

    /// - Parameter brand: the brand of an app; nil for a message of no app, such as a notice about the account.
    init(serviceName: String, brand: @escaping @Sendable (String?) -> ClientBrand? = { _ in nil }) {
        (self.serviceName, self.brand) = (serviceName, brand)
    }

    func brand(of client: String?) -> MessageBrand { MessageBrand(serviceName: serviceName, brand: brand(client)) }
}
