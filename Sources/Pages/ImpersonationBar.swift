/// The bar on every page while an operator acts for a user, with the button that ends it.
package struct ImpersonationBar: Hashable, Sendable {
    let hidden: [HiddenField]

    func masked(by mask: inout TextMask) -> ImpersonationBar { ImpersonationBar(hidden: mask.fields(hidden)) }

    var values: [String: Any] { ["hidden": hidden.map(\.values)] }
}
