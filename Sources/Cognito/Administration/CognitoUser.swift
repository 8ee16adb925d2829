import Accounts
import Clients
import Foundation
import JSON
import Vocabulary

extension DirectoryUser {
    /// The user as the API's administrator operations show it.
    ///
    /// - Parameters:
    ///   - name: the member of the attributes.
    ///   - wanted: the names of the shown attributes; empty for all.
    func cognito(attributesIn name: String, wanted: [String] = [], of client: Client) -> JSONObject {
        let attributes = profile.keeping(client.knownAttributes).cognitoAttributes
        let shown = wanted.isEmpty ? attributes : attributes.filter { wanted.contains($0.name) }
        return [
            "Username": .string(id.text), name: CognitoAnswers.attributes(shown), "Enabled": .bool(isEnabled),
            "UserStatus": .string(CognitoUserStatus(password).rawValue),
            "UserCreateDate": .double(profile.summary.createdAt.timeIntervalSince1970),
            "UserLastModifiedDate": .double(changedAt.timeIntervalSince1970),
        ]
    }
}

/// `UserStatus`.
enum CognitoUserStatus: String, CaseIterable {
    case confirmed = "CONFIRMED"
    case forceChangePassword = "FORCE_CHANGE_PASSWORD"
    case resetRequired = "RESET_REQUIRED"
    case externalProvider = "EXTERNAL_PROVIDER"

    init(_ password: DirectoryUser.Password) {
        self =
            switch password {
            case .usable: .confirmed
            case .temporary: .forceChangePassword
            case .resetRequired: .resetRequired
            case .none: .externalProvider
            }
    }

    var password: DirectoryUser.Password {
        switch self {
        case .confirmed: .usable
        case .forceChangePassword: .temporary
        case .resetRequired: .resetRequired
        case .externalProvider: .none
        }
    }
}

/// `Filter` of `ListUsers`: one attribute, `=` or `^=`, and a value in quotation marks.
enum CognitoFilter {
    /// Nil without a filter.
    ///
    /// - Throws: ``CognitoError`` for another form, or an attribute that can't be searched.
    static func parse(_ text: String?, _ client: Client) throws(CognitoError) -> UserFilter? {
        guard let text else { return nil }
        guard let match = text.wholeMatch(of: /\s*"?([A-Za-z_:]+)"?\s*(\^?=)\s*"((?:[^"\\]|\\.)*)"\s*/) else {
            throw .invalid("Error while parsing filter.")
        }
        let value = String(match.output.3.replacing(/\\(.)/) { $0.output.1 })
        return try condition(String(match.output.1), value, isPrefix: match.output.2 == "^=", client)
    }

    private static func condition(
        _ name: String, _ value: String, isPrefix: Bool, _ client: Client
    ) throws(CognitoError) -> UserFilter {
        switch name {
        case "sub": return UserFilter(.id, value, isPrefix: isPrefix)
        // A user name, or the id of a user without one.
        case "username":
            return UserFilter(UUID(uuidString: value) == nil ? .userName : .id, value, isPrefix: isPrefix)
        case "email": return UserFilter(.email, value, isPrefix: isPrefix)
        case "phone_number": return UserFilter(.phone, value, isPrefix: isPrefix)
        case "preferred_username": return UserFilter(.userName, value, isPrefix: isPrefix)
        case "name": return UserFilter(.displayName, value, isPrefix: isPrefix)
        case "given_name", "family_name":
            return UserFilter(.attribute(client.knownAttributes.key(of: name)), value, isPrefix: isPrefix)
        case "status": return UserFilter(.status, value == "Enabled" ? "active" : value.lowercased(), isPrefix: false)
        case "cognito:user_status":
            let status = CognitoUserStatus(rawValue: value.uppercased())
            return UserFilter(.password, status?.password.rawValue ?? value, isPrefix: false)
        default: throw .invalid("Invalid search attribute: \(name)")
        }
    }
}
