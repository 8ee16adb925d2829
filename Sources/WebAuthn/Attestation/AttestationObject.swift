/// Authenticator data with a statement about the authenticator's model (WebAuthn §6.5.4).
struct AttestationObject {
    let format: String
    let statement: CBOR
    let authenticatorData: AuthenticatorData

    /// Takes a map of exactly `fmt`, `attStmt` and `authData`.
    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        guard let value = Self.value(bytes), value.map?.count == 3, let format = value["fmt"]?.text,
            let statement = value["attStmt"], statement.map != nil, let authenticatorData = value["authData"]?.bytes
        else { throw .attestationObjectMalformed }
        self.format = format
        self.statement = statement
        self.authenticatorData = try AuthenticatorData(authenticatorData)
    }

    private static func value(_ bytes: [UInt8]) -> CBOR? {
        do throws(CBORError) {
            return try CBOR(parsing: bytes)
        } catch {
            return nil
        }
    }
}
