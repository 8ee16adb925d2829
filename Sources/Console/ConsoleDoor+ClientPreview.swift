import Clients
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages
import Vocabulary

/// The preview of an app's brand.
extension ConsoleDoor {
    /// `POST /admin/client-preview`: the sign-in page with the brand in the form, which is not stored.
    ///
    /// An invalid member is left out. The page is shown in a frame without scripts and forms.
    @Sendable func previewClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context, back: ClientsPage.path, counts: false) { visit in
            try await services.operators.check(.changeClient, of: [], by: visit.actor)
            let fields = ClientFields(form: visit.fields.fields, before: .ofNew)
            let brand = ClientBrand.checked(fields.value("brand").object ?? [:]).brand.map(PageBrand.init)
            let page = sampleLogin(LoginSample(fields, methods: services.clients.signInMethods, providerName))
            let html = web.renderer.render(
                page, visit.call.language, brand: brand, requestID: visit.call.caller.requestID)
            guard let html else { return .withoutPage(visit.call, publicURL: web.ownOrigin) }
            return Response.page(
                html, status: .ok, formTargets: [], images: brand?.imageSources ?? [], hidesAddress: false,
                frames: .framed)
        }
    }
}
