/// How often people may guess at one thing: the codes of a name, the second factors of an account, a provider's step.
///
/// So many at once are several flows used up; one more each period makes 480 a day, of a million codes.
package enum GuessBudget {
    package static let burst = 20
    package static let periodMilliseconds = 180_000
}
