/// What a rehearsal has seen, since the database keeps nothing of it: each line is judged as though those before it stood.
///
/// A number for each id, address and identity, some 40 MB for a million lines; two that share a number are next to impossible.
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
    /// Of the bytes: texts that are only canonically equal differ.
    fileprivate var utf8Hash: Int { Array(utf8).hashValue }
}
