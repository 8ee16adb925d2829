import Cryptography
import Foundation
import JSON
import Providers
import Vocabulary

/// An account in a line of an import.
///
/// `docs/migration.md` defines the members. An unknown member is refused, because its meaning would be lost.
struct ImportedAccount: Sendable, Equatable {
    struct Identity: Sendable, Equatable {
        let provider: String
        let realm: String
        let subject: String
    }

    let externalID: String
    let address: EmailAddress?
    let isProved: Bool
    let phone: PhoneNumber?
    let isPhoneProved: Bool
    let userName: SignInName?
    /// By the names of the account.
    let attributes: JSONObject
    let displayName: String?
    let passwordHash: String?
    let hashKind: PasswordHashKind?
    let identities: [Identity]
    let createdAt: Date?
    let isDisabled: Bool

    private static let members: Set<String> = [
        "id", "email", "email_verified", "phone", "phone_verified", "user_name", "attributes", "display_name",
        "password_hash", "firebase", "identities", "created_at", "disabled",
    ]
    static let longestLine = JSONLimits.standard.bytes
    private static let mostIdentities = 20

    init(
        line: [UInt8], firebase: FirebaseParameters?, of app: ImportApp? = nil, now: Date
    ) throws(ImportRefusal) {
        guard let document = try? JSON(parsing: line), let object = document.object else { throw .notJSON }
        guard object.members.allSatisfy({ Self.members.contains($0.name) }) else { throw .unknownMember }
        externalID = try Self.text(object, "id", 1...255, or: .invalidID) ?? "line:" + Hex.encode(SHA256.hash(line))
        address = try Self.address(object)
        isProved = try Self.flag(object, "email_verified", or: .invalidEmailVerified)
        guard address != nil || !isProved else { throw .invalidEmailVerified }
        phone = try Self.phone(object)
        isPhoneProved = try Self.flag(object, "phone_verified", or: .invalidPhoneVerified)
        guard phone != nil || !isPhoneProved else { throw .invalidPhoneVerified }
        userName = try Self.userName(object)
        let values = try Self.attributes(object)
        attributes = try app?.stored(values) ?? values
        displayName = try Self.text(object, "display_name", 0...4_096, or: .invalidDisplayName).flatMap {
            DisplayName.clean($0, limit: 200)
        }
        passwordHash = try Self.passwordHash(object, firebase)
        hashKind = try passwordHash.map(Self.kind)
        identities = try Self.identities(object)
        createdAt = try Self.moment(object, notAfter: now)
        isDisabled = try Self.flag(object, "disabled", or: .invalidDisabled)
        guard address != nil || phone != nil || userName != nil || !identities.isEmpty else { throw .noSignInMethod }
    }

    private static func phone(_ object: JSONObject) throws(ImportRefusal) -> PhoneNumber? {
        guard let text = try text(object, "phone", 1...40, or: .invalidPhone) else { return nil }
        guard let number = PhoneNumber(text) else { throw .invalidPhone }
        return number
    }

    private static func userName(_ object: JSONObject) throws(ImportRefusal) -> SignInName? {
        guard let text = try text(object, "user_name", 1...64, or: .invalidUserName) else { return nil }
        guard let name = SignInName(text), name.kind == .userName else { throw .invalidUserName }
        return name
    }

    /// Texts, numbers and flags by name.
    private static func attributes(_ object: JSONObject) throws(ImportRefusal) -> JSONObject {
        guard let value = object["attributes"], !value.isNull else { return [:] }
        guard let attributes = value.object, attributes.members.count <= 100,
            attributes.members.allSatisfy({ $0.value.array == nil && $0.value.object == nil && !$0.value.isNull })
        else { throw .invalidAttributes }
        return attributes
    }

    private static func address(_ object: JSONObject) throws(ImportRefusal) -> EmailAddress? {
        guard let text = try text(object, "email", 1...254, or: .invalidEmail) else { return nil }
        guard let address = EmailAddress(text) else { throw .invalidEmail }
        return address
    }

    private static func passwordHash(
        _ object: JSONObject, _ firebase: FirebaseParameters?
    ) throws(ImportRefusal) -> String? {
        let text = try text(object, "password_hash", 1...4_096, or: .invalidPasswordHash)
        guard let exported = object["firebase"], !exported.isNull else { return text }
        guard text == nil else { throw .twoPasswords }
        // An export writes null for a user without a salt: the project's separator is then all of it.
        guard let hash = exported["password_hash"]?.string, let salt = exported["salt"],
            salt.isNull || salt.string != nil, exported.object?.members.count == 2
        else { throw .invalidFirebase }
        guard let firebase else { throw .firebaseParametersMissing }
        do { return try firebase.storedText(passwordHash: hash, salt: salt.string ?? "") } catch {
            throw ImportRefusal(error)
        }
    }

    private static func kind(_ hash: String) throws(ImportRefusal) -> PasswordHashKind {
        do { return try PasswordHashKind(of: hash) } catch { throw ImportRefusal(error) }
    }

    private static func identities(_ object: JSONObject) throws(ImportRefusal) -> [Identity] {
        guard let value = object["identities"], !value.isNull else { return [] }
        guard let list = value.array, list.count <= mostIdentities else { throw .invalidIdentities }
        let identities = try list.map { value throws(ImportRefusal) in try identity(value) }
        guard Set(identities.map(\.key)).count == identities.count else { throw .invalidIdentities }
        return identities
    }

    private static func identity(_ value: JSON) throws(ImportRefusal) -> Identity {
        guard let object = value.object, object.members.count == 3,
            let provider = object["provider"]?.string.flatMap({ ProviderID(rawValue: $0) }),
            let realm = object["realm"]?.string, (1...255).contains(realm.utf8.count),
            let subject = object["subject"]?.string, (1...255).contains(subject.utf8.count)
        else { throw .invalidIdentities }
        return Identity(provider: provider.rawValue, realm: realm, subject: subject)
    }

    private static func moment(_ object: JSONObject, notAfter now: Date) throws(ImportRefusal) -> Date? {
        guard let text = try text(object, "created_at", 20...40, or: .invalidCreatedAt) else { return nil }
        let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let moment = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: withFraction)),
            moment <= now
        else { throw .invalidCreatedAt }
        return moment
    }

    private static func flag(_ object: JSONObject, _ name: String, or refusal: ImportRefusal) throws(ImportRefusal)
        -> Bool
    {
        do { return try object.optionalBool(name) ?? false } catch { throw refusal }
    }

    private static func text(
        _ object: JSONObject, _ name: String, _ lengths: ClosedRange<Int>, or refusal: ImportRefusal
    ) throws(ImportRefusal) -> String? {
        let text: String?
        do { text = try object.optionalText(name, most: lengths.upperBound) } catch { throw refusal }
        guard text.map({ $0.utf8.count >= lengths.lowerBound }) ?? true else { throw refusal }
        return text
    }
}

extension ImportedAccount.Identity {
    /// The bytes that identify an identity.
    var key: [UInt8] { Array("\(provider)\u{1}\(realm)\u{1}\(subject)".utf8) }
}
