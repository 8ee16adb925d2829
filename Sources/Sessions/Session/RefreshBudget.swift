/// The refreshes of one session: that many at once, then as many an hour.
///
/// A client may keep its refresh token, so a token alone would otherwise allow any number of signatures and audit rows.
/// `rotate_refresh_token.sql` counts in the session's row.
package struct RefreshBudget: Sendable, Equatable {
    package static let standard = 240

    let perHour: Int

    var periodMilliseconds: Int { max(3_600_000 / perHour, 1) }

    package init(perHour: Int = standard) { self.perHour = perHour }
}
