/// The second factor that an app wishes beside what the account and the app demand.
///
/// It asks for a factor that the account has, and sets none up. A sign-in that can't fulfil it goes on without.
package enum SecondFactorWish: String, Sendable {
    case any
    /// The authenticator app beside a password, else any.
    case totp
}
