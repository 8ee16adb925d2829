import Vocabulary

/// The ids seen in a dry run, because the database stores nothing: each line is judged as if the earlier ones were
/// imported.
///
/// A hash per id, address and identity, about 40 MB per million lines; collisions are practically impossible.
struct ImportRehearsal {
    private var ids: Set<Int> = []
    private var addresses: Set<Int> = []
    private var identities: Set<Int> = []

    func refusal(of account: ImportedAccount) -> ImportRefusal? {
        if ids.contains(account.externalID.utf8Hash) { return .alreadyImported }
        if let address = account.address, addresses.contains(address.key.utf8Hash) { return .emailInUse }
        if let phone = account.phone, addresses.contains(phone.key.utf8Hash) { return .phoneInUse }
        if let name = account.userName, addresses.contains(name.key.utf8Hash) { return .userNameTaken }
        return account.identities.contains { identities.contains($0.key.hashValue) } ? .identityInUse : nil
    }

    mutating func remember(_ account: ImportedAccount) {
        ids.insert(account.externalID.utf8Hash)
        if let address = account.address, account.isProved { addresses.insert(address.key.utf8Hash) }
        if let phone = account.phone, account.isPhoneProved { addresses.insert(phone.key.utf8Hash) }
        if let name = account.userName { addresses.insert(name.key.utf8Hash) }
        identities.formUnion(account.identities.map(\.key.hashValue))
    }
}

extension String {
    /// Over the bytes, because canonically equal texts differ.
    fileprivate var utf8Hash: Int { Array(utf8).hashValue }
}
