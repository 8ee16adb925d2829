import Accounts
import Postgres

extension Rejection {
    /// What a refusal of the database's means to the caller.
    init(_ word: RefusalWord) {
        self =
            switch word {
            case .accountDisabled: .accountDisabled
            case .accountsChanged: .accountsChanged
            case .addressInUse: .addressInUse
            case .deletionWaits: .deletionWaits
            case .factorExists: .factorExists
            case .flowExpired: .flowExpired
            case .identityInUse: .identityInUse()
            case .lastCredential: .lastCredential
            case .linkSubjectChanged: .linkSubjectChanged
            case .noSecondFactor: .noSecondFactor
            case .notFound: .notFound
            case .operatorAccount: .operatorAccount
            case .reauthRequired: .reauthRequired
            case .secondFactorDemanded: .secondFactorDemanded
            case .sessionEnded: .sessionEnded
            case .stepUpRequired: .stepUpRequired
            case .tooManyResends: .tooManyResends
            case .tooManyTries: .tooManyTries
            case .undoOver: .undoOver
            case .userNameTaken: .userNameTaken
            }
    }

    /// What a statement that spends the same thing twice is refused with.
    init(spent kind: Spending.Kind?) {
        self =
            switch kind {
            case .nonce: .nonceUsed
            case .state: .stateUsed
            case .credential, nil: .tokenReplayed
            }
    }
}

extension Row {
    /// The function's own word.
    ///
    /// - Throws: a ``Rejection`` for a refusal; ``PostgresError/decoding(column:)`` for a word that is not known.
    func answer<Own: OutcomeWord>(_ column: Int = 0, as own: Own.Type = Own.self) throws -> Own {
        switch try outcome(column, own, RefusalWord.self) {
        case .own(let word): return word
        case .refused(let word): throw Rejection(word)
        }
    }

    /// A time to wait in whole seconds, rounded up; 0 for null.
    func wholeSeconds(_ column: Int) throws(PostgresError) -> Int {
        Int((try value(column, as: Double?.self) ?? 0).rounded(.up))
    }
}
