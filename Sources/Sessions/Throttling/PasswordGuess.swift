import Cryptography
package import JSON

/// The budget of a password step, as `flow_guess` reads it: that of plain sign-ins, for the account and for the app.
package struct PasswordGuess: Sendable, Equatable {
    let burst: Int
    /// In milliseconds.
    let period: Int
    /// The bucket of the app.
    let client: Throttle

    init(burst: Int, period: Int, client: Throttle) {
        (self.burst, self.period, self.client) = (burst, period, client)
    }

    package init?(_ json: JSON) {
        guard let burst = json["burst"]?.integer, let period = json["period"]?.integer,
            let bucket = json["client"]?.string.flatMap(Hex.decode), let clientBurst = json["client_burst"]?.integer,
            let clientPeriod = json["client_period"]?.integer
        else { return nil }
        self.init(
            burst: burst, period: period,
            client: Throttle(bucket: bucket, burst: clientBurst, periodMilliseconds: clientPeriod))
    }

    package var json: JSON {
        [
            "burst": .integer(burst), "period": .integer(period), "client": .string(Hex.encode(client.bucket)),
            "client_burst": .integer(client.burst), "client_period": .integer(client.periodMilliseconds),
        ]
    }
}
