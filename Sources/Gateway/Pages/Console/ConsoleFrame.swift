/// What stands around a page of the console, and what every part of it needs.
struct ConsoleFrame: Sendable {
    /// Which entry of the navigation the page belongs to.
    let section: ConsoleSection
    /// The operator, and the role: the message `console.role.<it>`.
    let who: String
    let role: String
    /// For every form that is posted.
    let hidden: [HiddenField]
    /// `ui_locales`, as given, which every link keeps.
    let locales: String?
    let providerName: @Sendable (String) -> String
    /// Why something wasn't done.
    var problem: ConsoleRefusal?
}

/// Why something is not done: the message `console.refusal.<code>`.
struct ConsoleRefusal: Error, Sendable, Equatable {
    let code: String
    /// The names of the parts that stand in the way of an undo: the messages `console.part.<it>`.
    var parts: [String] = []
}

/// A page of the console: what it shows comes from the database as it is, and goes through a ``ConsoleWriter``.
protocol ConsolePage: Sendable {
    /// The file in `Templates/`, without its ending.
    static var template: String { get }

    /// Whether a script of the page listens to the server.
    static var isLive: Bool { get }

    /// Nil for a page that is shown to somebody who is no operator.
    var frame: ConsoleFrame? { get }

    /// What the template is filled with, beside the frame.
    func values(_ writer: inout ConsoleWriter) -> [String: Any]
}

extension ConsolePage {
    static var isLive: Bool { false }
}
