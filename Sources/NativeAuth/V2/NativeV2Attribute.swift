import Clients
import JSON

/// A value that a sign-up asks for.
struct NativeV2Attribute: Sendable {
    let id: String
    var inputType = "text"
    let label: String
    let isRequired: Bool

    /// The address, which every sign-up asks for first.
    static let email = NativeV2Attribute(id: NativeAuthAttributes.email, label: "E-mail", isRequired: true)

    private init(id: String, inputType: String = "text", label: String, isRequired: Bool) {
        (self.id, self.inputType, self.label, self.isRequired) = (id, inputType, label, isRequired)
    }

    private init(_ attribute: ClientAttribute) {
        let inputType =
            switch attribute.kind {
            case .text, .number: "text"
            case .flag: "boolean"
            case .date: "date"
            }
        let name = NativeAuthAttributes.name(of: attribute.name)
        self.init(id: name, inputType: inputType, label: name, isRequired: attribute.isRequired)
    }

    /// Everything that a sign-up may still get after its code.
    ///
    /// - Parameter sent: the attributes that the app has sent: SDKs refuse a question for one of them.
    static func lacking(_ client: Client, needsPassword: Bool, sent: Set<String>) -> [NativeV2Attribute] {
        let password = NativeV2Attribute(id: "password", label: "Password", isRequired: true)
        let name = NativeV2Attribute(id: NativeAuthAttributes.displayName, label: "Name", isRequired: false)
        let others = [name] + client.attributes.ofUsers.map(NativeV2Attribute.init)
        return (needsPassword ? [password] : []) + others.filter { !sent.contains($0.id) }
    }

    var json: JSON {
        [
            "attributeId": .string(id), "inputType": .string(inputType), "label": .string(label),
            "required": .bool(isRequired),
        ]
    }
}
