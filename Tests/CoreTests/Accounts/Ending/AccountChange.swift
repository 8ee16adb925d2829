/// A change of an account that ends something of it.
///
/// ``ending`` lists these things. A sign-out, a step-up and a reused token change one session alone, so they are no case here.
enum AccountChange: String, CaseIterable, Sendable {
    /// By the user, in a session (`change_password`).
    case passwordChanged
    /// By a flow: a reset, or the replacement of a temporary password (`apply_flow_effect`).
    case passwordReset
    /// By an operator or a back end, lasting or temporary (`set_password_state`).
    case passwordSetByOperator
    /// The password stays in its row and no longer signs in (`set_password_state`).
    case resetRequired
    /// The account gets recovery codes only if it has no unused ones, so none end (`add_factor`).
    case factorAdded
    /// Also by a flow of a sign-in (`add_passkey`). For a guest see ``guestUpgraded``.
    case passkeyAdded
    /// Another factor stays; a passkey does not count (`remove_factor`).
    case factorRemoved
    case lastFactorRemoved
    case passkeyRemoved
    /// By an operator, for a user who lost them (`do_factor_removal`).
    case allFactorsRemoved
    case recoveryCodesReplaced
    /// Proved by its code, or vouched for by a back end. Flows of other accounts about the address end too.
    case addressAdded
    case numberAdded
    /// Also a number (`remove_address`).
    case addressRemoved
    /// Made the main one (`prefer_address`).
    case addressPreferred
    case numberPreferred
    /// An operator marks an address or number as unproved (`require_proof`).
    case proofRequired
    /// Another account proved an address that this one claimed (`clear_unproved_claims`).
    ///
    /// The password ends too if no other name uses it. Without a sign-in method the account closes.
    case addressClaimLost
    /// A provider forwards to another address (`apply_email_event`).
    case relayAddressReplaced
    /// By the user or an operator. For a guest see ``guestUpgraded``.
    case identityLinked
    case identityUnlinked
    /// Also the undo of an operator's link, and the undo of a move for the account that loses the identity.
    case identityUnlinkedByOperator
    /// For the account that loses it (`move_identity`).
    case identityMovedAway
    /// For the account that gets it. The undo of an unlink and of a move does the same.
    case identityMovedHere
    /// A notice of the provider, or a dead token (`revoke_identity`).
    case consentWithdrawn
    /// Unless too many tokens are doubtful at once (`settle_doubtful_token`).
    case providerTokenDoubtful
    /// Without another sign-in method the account closes (`apply_provider_event`).
    case providerAccountDeleted
    /// For the account that is closed. Its password may move to the other one (`merge_accounts`).
    case mergedAway
    /// For the account that is kept.
    case mergedInto
    /// For the account that was kept (`undo_merge`).
    case mergeUndone
    /// For the account that loses the items. A moved password leaves it (`split_account`).
    case accountSplit
    /// For the account that gets the items back. The other one closes: see ``accountClosed``.
    case splitUndone
    /// A guest gets its first credential (`end_guest`).
    case guestUpgraded
    case accountDisabled
    case accountClosed
    /// With a waiting time (`begin_deletion`).
    case deletionRequested
    case accountErased
    case signedOutEverywhere
    /// All of them, not one (`operator_end_sessions`).
    case sessionsEndedByOperator
    /// Methods that a session added since end too, recovery codes among them (`disown_session`).
    case sessionDisowned
    /// Later, from the list after ``sessionDisowned`` (`drop_disowned_method`).
    ///
    /// The recovery codes end with the last second factor, and the password if it is the method.
    case disownedMethodDropped
    /// Also another role (`grant_role`).
    case roleGranted
}
