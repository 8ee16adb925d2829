/// The rule for a change of the backup flags between two uses of a credential; `docs/decisions/0010` has the reasons.
///
/// | stored eligibility | flags now | rule |
/// |---|---|---|
/// | any | backed up, not eligible | refused while the data is parsed (§6.1.3) |
/// | not eligible | not eligible | unchanged |
/// | not eligible | eligible, backed up or not | taken, and stored for good |
/// | eligible | eligible, backed up or not | the state is stored |
/// | eligible | not eligible | refused |
///
/// §7.2 refuses the third row too. Password managers register before their first sync and set the flags afterwards. The
/// same key signed both times, so a refusal would protect nobody and lock the owner out for good.
enum BackupRule {
    static func allows(_ flags: AuthenticatorFlags, after credential: StoredCredential) -> Bool {
        flags.contains(.backupEligible) || !credential.isBackupEligible
    }
}
