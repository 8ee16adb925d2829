import Pages

/// The common parts of a console page.
struct ConsoleFrame: Sendable {
    /// The active entry of the navigation.
    let section: ConsoleSection
    /// The operator, and the role: the message `console.role.<it>`.
    let who: String
    let role: String
    /// For every posted form.
    let hidden: [HiddenField]
    /// `ui_locales`, as given; every link keeps it.
    let locales: String?
    let providerName: @Sendable (String) -> String
    /// The refusal of an action.
    var problem: ConsoleRefusal?
}

/// The reason of the refusal: the message `console.refusal.<code>`.
struct ConsoleRefusal: Error, Sendable, Equatable {
    let code: String
    /// The changed parts that block an undo: the messages `console.part.<it>`.
    var parts: [String] = []
}

/// A page of the console; its database values go through a ``ConsoleWriter``.
protocol ConsolePage: Sendable {
    /// The file in `Templates/`, without its extension.
    static var template: String { get }

    /// Whether a script of the page receives server events.
    static var isLive: Bool { get }

    /// The frames around and in the page.
    static var frames: PageFrames { get }

    /// Nil for a page that is shown to a user who is not an operator.
    var frame: ConsoleFrame? { get }

    /// The template's values, in addition to the frame.
    func values(_ writer: inout ConsoleWriter) -> [String: Any]
}

extension ConsolePage {
    static var isLive: Bool { false }
    static var frames: PageFrames { .none }
}
