package import Foundation
package import JSON
import Outbound

/// The request to a claims service before a token is issued: Entra's `onTokenIssuanceStart`.
package struct TokenIssuanceEvent: Sendable, Equatable {
    /// The app for which the token is meant, which is also its audience.
    package struct Application: Sendable, Equatable {
        /// A GUID of the gateway's own.
        package let id: String
        /// Its `client_id`.
        package let appID: String
        package let name: String

        package init(id: String, appID: String, name: String) {
            (self.id, self.appID, self.name) = (id, appID, name)
        }
    }

    package struct User: Sendable, Equatable {
        package let id: String
        package let displayName: String?
        /// A proved address only.
        package let mail: String?
        package let principalName: String
        package let createdAt: Date

        package init(id: String, displayName: String?, mail: String?, principalName: String, createdAt: Date) {
            (self.id, self.displayName, self.mail) = (id, displayName, mail)
            (self.principalName, self.createdAt) = (principalName, createdAt)
        }
    }

    package let tenant: String
    package let listener: String
    package let `extension`: String
    package let correlation: String
    package let address: String
    /// A BCP 47 tag; nil when the user's language is unknown.
    package let language: String?
    package let application: Application
    package let user: User

    package var json: JSON {
        [
            "type": "microsoft.graph.authenticationEvent.tokenIssuanceStart",
            "source": .string("/tenants/\(tenant)/applications/\(application.appID)"),
            "data": [
                "@odata.type": "microsoft.graph.onTokenIssuanceStartCalloutData",
                "tenantId": .string(tenant), "authenticationEventListenerId": .string(listener),
                "customAuthenticationExtensionId": .string(`extension`), "authenticationContext": context,
            ],
        ]
    }

    private var context: JSON {
        [
            "correlationId": .string(correlation),
            "client": ["ip": .string(address), "locale": .string(locale), "market": .string(locale)],
            "protocol": "OAUTH2.0", "clientServicePrincipal": application.json,
            "resourceServicePrincipal": application.json, "user": user.json(language: locale),
        ]
    }

    /// In Entra's spelling; services expect a text that is always present.
    private var locale: String {
        guard let language, !language.isEmpty else { return "en-us" }
        return ASCII.lowercased(language.utf8)
    }
}

extension TokenIssuanceEvent.Application {
    fileprivate var json: JSON {
        [
            "id": .string(id), "appId": .string(appID), "appDisplayName": .string(name), "displayName": .string(name),
        ]
    }
}

extension TokenIssuanceEvent.User {
    fileprivate func json(language: String) -> JSON {
        [
            "id": .string(id), "displayName": displayName.map(JSON.string) ?? .null, "givenName": .null,
            "surname": .null, "mail": mail.map(JSON.string) ?? .null, "userPrincipalName": .string(principalName),
            "userType": "Member", "createdDateTime": .string(createdAt.ISO8601Format()),
            "preferredLanguage": .string(language), "companyName": .null, "onPremisesSamAccountName": .null,
            "onPremisesSecurityIdentifier": .null, "onPremisesUserPrincipalName": .null,
        ]
    }
}
