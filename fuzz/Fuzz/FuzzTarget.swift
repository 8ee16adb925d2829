/// The parsers that read strangers' bytes.
///
/// A target reads one input, and checks a property of what was accepted.
enum FuzzTarget: String, CaseIterable {
    case attestation, base64, cbor, certificate, cookies, form, headers, json, jwks, jwt, names, passkey, redirect
    case sigv4, srp, tokens
    case clientDocument = "client-document"
    case keyProof = "key-proof"

    func read(_ input: [UInt8]) {
        switch self {
        case .attestation: AttestationTarget.read(input)
        case .base64: Base64Target.read(input)
        case .cbor: CBORTarget.read(input)
        case .certificate: CertificateTarget.read(input)
        case .clientDocument: ClientDocumentTarget.read(input)
        case .cookies: CookieTarget.read(input)
        case .form: FormTarget.read(input)
        case .headers: HeaderTarget.read(input)
        case .json: JSONTarget.read(input)
        case .jwks: KeySetTarget.read(input)
        case .jwt: JWTTarget.read(input)
        case .keyProof: KeyProofTarget.read(input)
        case .names: NameTarget.read(input)
        case .passkey: PasskeyTarget.read(input)
        case .redirect: RedirectTarget.read(input)
        case .sigv4: SignatureV4Target.read(input)
        case .srp: SRPTarget.read(input)
        case .tokens: TokenTarget.read(input)
        }
    }
}
