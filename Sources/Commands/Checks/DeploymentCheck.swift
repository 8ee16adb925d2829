/// One check of a deployment, such as its database or its mail server.
struct DeploymentCheck: Sendable {
    enum Result: Sendable, Equatable {
        case passed(String)
        /// The gateway works, but the operator should act.
        case warning(String, remedy: String)
        case failed(String, remedy: String)
        case skipped(String)
    }

    let name: String
    /// Never throws: an error is a failed check with its remedy.
    let run: @Sendable () async -> Result

    init(_ name: String, _ run: @escaping @Sendable () async -> Result) {
        (self.name, self.run) = (name, run)
    }
}
