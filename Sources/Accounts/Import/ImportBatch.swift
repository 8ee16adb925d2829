import Cryptography
import Foundation
import JSON
import Vocabulary

/// Lines that are written in one transaction.
struct ImportBatch: Sendable {
    static let mostLines = 500

    private(set) var accounts: [JSON] = []
    private(set) var unread: [ImportRefused] = []
    /// The number of lines before the batch, and including it.
    let after: Int
    private(set) var upto: Int
    private var keys: Set<[UInt8]> = []

    init(after: Int) {
        self.after = after
        upto = after
    }

    var isEmpty: Bool { upto == after }
    var isFull: Bool { accounts.count + unread.count >= Self.mostLines }

    /// Blank lines only count.
    mutating func skip() { upto += 1 }

    mutating func refuse(_ reason: ImportRefusal) {
        upto += 1
        unread.append(ImportRefused(line: upto, reason: reason))
    }

    /// False, with nothing added, if a line of the batch has the same id, address or identity: the second line is
    /// judged after the first is in the database.
    mutating func add(_ account: ImportedAccount, now: Date) -> Bool {
        let own = Self.keys(of: account)
        guard keys.isDisjoint(with: own) else { return false }
        keys.formUnion(own)
        upto += 1
        accounts.append(Self.row(account, line: upto, now))
        return true
    }

    private static func keys(of account: ImportedAccount) -> [[UInt8]] {
        let texts: [String?] = [
            "id:\(account.externalID)", account.address.map { "at:\($0.key)" }, account.phone.map { "at:\($0.key)" },
            account.userName.map { "as:\($0.key)" },
        ]
        return texts.compactMap { $0.map { Array($0.utf8) } } + account.identities.map { Array("by:".utf8) + $0.key }
    }

    /// The members are those of the SQL type `import_line`.
    private static func row(_ account: ImportedAccount, line: Int, _ now: Date) -> JSON {
        let identities: [JSON] = account.identities.map { identity in
            [
                "id": .string(UUID.v7(at: now, random: .system).text), "provider": .string(identity.provider),
                "realm": .string(identity.realm), "subject": .string(identity.subject),
            ]
        }
        return [
            "line": .integer(line), "account_id": .string(UUID.v7(at: now, random: .system).text),
            "external_id": .string(account.externalID), "address": text(account.address?.text),
            "address_key": text(account.address?.key), "is_proved": .bool(account.isProved),
            "phone_key": text(account.phone?.key), "is_phone_proved": .bool(account.isPhoneProved),
            "user_name": text(account.userName?.text), "user_name_key": text(account.userName?.key),
            "attributes": .object(account.attributes), "display_name": text(account.displayName),
            "password_hash": text(account.passwordHash),
            "hash_kind": text(account.hashKind?.rawValue), "identities": .array(identities),
            "created_at": account.createdAt.map { .integer(Int($0.timeIntervalSince1970 * 1_000)) } ?? .null,
            "is_disabled": .bool(account.isDisabled),
        ]
    }

    private static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

    var unreadJSON: JSON {
        .array(unread.map { ["line": .integer($0.line), "reason": .string($0.reason.rawValue)] })
    }
}
