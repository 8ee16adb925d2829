import Clients
import Foundation
import JSON

/// The settings of an app as a relying party in a form: one field for each member.
extension ClientFields {
    /// The label of each is the message `console.client.<it>`.
    static let openID = OpenIDSettings.members.map(openIDField)
    /// The fields that are boxes; each has the message `console.client.<it>_hint`.
    static let openIDBoxes = openIDFlags.map(openIDField)
    private static let openIDFlags = [
        "third_party", "pkce_optional", "id_token_claims", "pushed_requests", "device_flow",
        "service_account", "dpop_bound_access_tokens",
    ]
    /// The fields with a few values; each has the message `console.client.<it>_hint`.
    static let openIDChoices = [
        FieldChoice(
            of: "openid", member: "id_token_algorithm",
            values: [OpenIDSettings.standard.idTokenAlgorithm.rawValue, TokenProfile.Algorithm.es256.rawValue]),
        FieldChoice(
            of: "openid", member: "refresh_tokens", values: OpenIDSettings.RefreshTokens.allCases.map(\.rawValue)),
        FieldChoice(
            of: "openid", member: "userinfo_signed_response_alg",
            values: OpenIDSettings.UserInfoForm.allCases.map(\.rawValue)),
        FieldChoice(
            of: "openid", member: "subject_type", values: OpenIDSettings.SubjectType.allCases.map(\.rawValue)),
    ]
    static let openIDLists = (openIDLines + openIDObjects).map(openIDField)
    private static let openIDLines = ["scopes", "post_logout_redirect_uris", "apple_apps", "android_apps"]
    /// The members that are lists of objects: one in each line.
    private static let openIDObjects = ["resources", "assertion_audiences"]
    static let openIDTexts = ["backchannel_logout_uri", "jwks", "jwks_uri", "sector_identifier_uri"].map(openIDField)

    private static func openIDField(_ member: String) -> String { "openid_\(member)" }

    static func openIDTexts(_ settings: Facts) -> [String: String] {
        let standard = OpenIDSettings.standard
        func objects(_ member: String) -> String {
            (settings.members[member]?.array ?? []).map(\.text).joined(separator: "\n")
        }
        return [
            "openid_third_party": settings.flag("third_party") ? "1" : "",
            "openid_pkce_optional": settings.flag("pkce_optional") ? "1" : "",
            "openid_id_token_algorithm": settings["id_token_algorithm"] ?? standard.idTokenAlgorithm.rawValue,
            "openid_id_token_claims": settings.members["id_token_claims"] == false ? "" : "1",
            "openid_refresh_tokens": settings["refresh_tokens"] ?? standard.refreshTokens.rawValue,
            "openid_userinfo_signed_response_alg": settings["userinfo_signed_response_alg"]
                ?? standard.userInfo.rawValue,
            "openid_subject_type": settings["subject_type"] ?? standard.subjectType.rawValue,
            "openid_sector_identifier_uri": settings["sector_identifier_uri"] ?? "",
            "openid_scopes": settings.names("scopes").joined(separator: "\n"),
            "openid_post_logout_redirect_uris": settings.names("post_logout_redirect_uris").joined(separator: "\n"),
            "openid_backchannel_logout_uri": settings["backchannel_logout_uri"] ?? "",
            "openid_service_account": settings.flag("service_account") ? "1" : "",
            "openid_dpop_bound_access_tokens": settings.flag("dpop_bound_access_tokens") ? "1" : "",
            "openid_apple_apps": settings.names("apple_apps").joined(separator: "\n"),
            "openid_android_apps": settings.names("android_apps").joined(separator: "\n"),
            "openid_jwks": settings.members["jwks"]?.text ?? "",
            "openid_jwks_uri": settings["jwks_uri"] ?? "",
            "openid_resources": objects("resources"), "openid_assertion_audiences": objects("assertion_audiences"),
            "openid_pushed_requests": settings.flag("pushed_requests") ? "1" : "",
            "openid_device_flow": settings.flag("device_flow") ? "1" : "",
        ]
    }

    /// All members; an address that is not entered is left out.
    static func openID(_ texts: [String: String]) -> JSON {
        func entered(_ member: String) -> String { texts[openIDField(member)] ?? "" }
        var settings: JSONObject = [:]
        for member in openIDFlags {
            settings[member] = .bool(isOn(openIDField(member), texts))
        }
        for choice in openIDChoices where !entered(choice.member).isEmpty {
            settings[choice.member] = .string(entered(choice.member))
        }
        for list in openIDLines {
            settings[list] = .array(lines(entered(list)).map { .string($0) })
        }
        for member in openIDObjects {
            // A line of another form is refused by its place.
            let objects = lines(entered(member)).map { (try? JSON(parsing: $0)) ?? .string($0) }
            if !objects.isEmpty { settings[member] = .array(objects) }
        }
        let keys = entered("jwks").trimmingCharacters(in: .whitespacesAndNewlines)
        if !keys.isEmpty { settings["jwks"] = (try? JSON(parsing: keys)) ?? .string(keys) }
        for address in ["backchannel_logout_uri", "jwks_uri", "sector_identifier_uri"] {
            let text = lines(entered(address)).joined(separator: " ")
            if !text.isEmpty { settings[address] = .string(text) }
        }
        return .object(settings)
    }

    /// Whether a box is ticked.
    static func isOn(_ box: String, _ entries: [String: String]) -> Bool { entries[box]?.isEmpty == false }

    /// The boxes of settings with several members, and the field that tells whether a form has them.
    ///
    /// Unticked boxes are not submitted.
    static let boxesOfParts =
        DialectFields.ofVendors.map { (boxes: $0.boxes, sign: $0.texts[0]) }
        + [(boxes: openIDBoxes, sign: openIDTexts[0])]
}
