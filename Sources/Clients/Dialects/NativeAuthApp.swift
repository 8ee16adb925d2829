import Foundation
import JSON

/// An app's identifiers in the native authentication API of Microsoft Entra External ID.
package struct NativeAuthApp: DialectSettings, Sendable, Equatable {
    /// The directory's id, a UUID; `tid` of the tokens.
    package let tenantID: String
    /// Another name of the tenant in addresses, such as `contoso.onmicrosoft.com`.
    package let tenantName: String?
    /// The application's id.
    package let applicationID: String
    /// Whether answers reveal that a user does not exist (`user_not_found`).
    package let revealsUsers: Bool

    package init(tenantID: String, tenantName: String? = nil, applicationID: String, revealsUsers: Bool = false) {
        (self.tenantID, self.tenantName, self.applicationID) = (tenantID, tenantName, applicationID)
        self.revealsUsers = revealsUsers
    }

    /// Whether the first segment of an address names this tenant.
    package func isTenant(_ segment: String) -> Bool {
        let segment = segment.lowercased()
        return segment == tenantID || segment == tenantName
    }

    /// The issuer of the app's tokens.
    ///
    /// - Parameter origin: the gateway's public address.
    package func issuer(at origin: String) -> String { "\(origin)/\(tenantID)/v2.0" }

    private static let (mostName, mostApplicationID) = (255, 64)

    /// Parses `{"tenant_id", "tenant_name"?, "application_id", "reveals_users"?}`.
    init(_ reader: inout MemberReader) {
        tenantID = reader.required("tenant_id") { UUID(uuidString: $0) != nil }.lowercased()
        tenantName = reader.optional("tenant_name", Self.isTenantName)?.lowercased()
        applicationID = reader.required("application_id", Self.isApplicationID).lowercased()
        revealsUsers = reader.flag("reveals_users")
    }

    static let members = ["tenant_id", "tenant_name", "application_id", "reveals_users"]

    /// A domain name with a dot: a bare word could be a path of the gateway.
    private static func isTenantName(_ text: String) -> Bool {
        text.utf8.count <= mostName && text.wholeMatch(of: /[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)+/) != nil
    }

    private static func isApplicationID(_ text: String) -> Bool {
        (1...mostApplicationID).contains(text.utf8.count) && text.wholeMatch(of: /[0-9A-Za-z-]+/) != nil
    }

    var json: JSON {
        var json: JSONObject = ["tenant_id": .string(tenantID), "application_id": .string(applicationID)]
        json["tenant_name"] = tenantName.map(JSON.string)
        json["reveals_users"] = .bool(revealsUsers)
        return .object(json)
    }
}
