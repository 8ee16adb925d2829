/// The services for apps that no operator registers.
package struct AgentServices: Sendable {
    package let documents: ClientDocuments
    package let registrations: ClientRegistrations

    package init(documents: ClientDocuments, registrations: ClientRegistrations) {
        (self.documents, self.registrations) = (documents, registrations)
    }
}
