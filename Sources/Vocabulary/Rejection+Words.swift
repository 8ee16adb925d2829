package import Postgres

extension Rejection {
    /// The caller's refusal for an outcome of the database.
    package init(_ word: RefusalWord) {
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
            case .sessionEnded: .sessionEnded()
            case .stepUpRequired: .stepUpRequired
            case .tooManyResends: .tooManyResends
            case .tooManyTries: .tooManyTries
            case .undoOver: .undoOver
            case .userNameTaken: .userNameTaken
            }
    }

    /// The refusal of a statement that spends the same value twice.
    package init(spent kind: Spending.Kind?) {
        self =
            switch kind {
            case .nonce: .nonceUsed
            case .state: .stateUsed
            case .credential, nil: .tokenReplayed
            }
    }
}

extension Row {
    /// Returns the function's own outcome.
    ///
    /// - Throws: a ``Rejection`` for a refusal; ``PostgresError/decoding(column:)`` for an unknown outcome.
    package func answer<Own: OutcomeWord>(_ column: Int = 0, as own: Own.Type = Own.self) throws -> Own {
        switch try outcome(column, own, RefusalWord.self) {
        case .own(let word): return word
        case .refused(let word): throw Rejection(word)
        }
    }

    /// A waiting time in whole seconds, rounded up; 0 for null.
    package func wholeSeconds(_ column: Int) throws(PostgresError) -> Int {
        Int((try value(column, as: Double?.self) ?? 0).rounded(.up))
    }
}
