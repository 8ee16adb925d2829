import Clients
package import Foundation
package import HTTPServer
import Hummingbird
package import Sessions
package import Vocabulary

/// The language of pages, and ids of paths.
extension HostedPages {
    /// Changes the page's language to a requested one.
    package func speak(_ locales: String?, _ call: inout WebCall) {
        guard let locales, locales.utf8.count <= 128 else { return }
        call.locales = locales
        call.language = Language.preferred(
            uiLocales: locales, acceptLanguage: call.headers.value(.acceptLanguage))
    }

    package static func localesParameter(_ locales: String?) -> [(name: String, value: String)] {
        locales.map { [("ui_locales", String($0.prefix(128)))] } ?? []
    }

    package static func pathID(_ context: GatewayContext) throws(Rejection) -> UUID {
        guard let id = context.parameters.get("id").flatMap(UUID.init(uuidString:)) else { throw .notFound }
        return id
    }

    package static func locales(_ call: WebCall) -> [HiddenField] {
        call.locales.map { [HiddenField(name: "ui_locales", value: $0)] } ?? []
    }

    package static func mergeAddress(_ ticket: String) -> String { "/account/merge".addingQuery([("ticket", ticket)]) }

    package func clientName(_ session: SessionSnapshot) -> String {
        clients.client(session.facts.clientID)?.name ?? session.facts.clientID
    }
}
