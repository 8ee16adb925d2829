import Testing
import WebAuthn

/// An example of Web Authentication level 3, §16 "Test Vectors", in hexadecimal as printed there.
///
/// All have the relying party id `example.org` and the origin `https://example.org`; a top origin is
/// `https://example.com`.
struct W3CVector: Sendable, CustomTestStringConvertible {
    struct Registration: Sendable {
        let challenge: String
        let clientData: String
        let attestationObject: String
    }

    struct Assertion: Sendable {
        let challenge: String
        let authenticatorData: String
        let clientData: String
        let signature: String
    }

    let name: String
    let registration: Registration
    let assertion: Assertion
    let credentialID: String
    let aaguid: String
    let algorithm: COSEAlgorithm
    /// The flags of the registration.
    let flags: UInt8

    var testDescription: String { name }

    static let all = [
        noneEs256, noneEs256CrossOrigin, noneEs256TopOrigin, noneEs256LongCredentialId, packedSelfEs256, packedEs256,
        packedRs256, packedEddsa,
    ]

    /// The certificate that signed all makers' certificates (§16.1).
    static let root = """
        30820207308201ada003020102021100ed7f905d8bd0b414d1784913170a90b6300a06082a8648ce3d0403023062311e301c06035504030\
        c15576562417574686e207465737420766563746f7273310c300a060355040a0c0357334331253023060355040b0c1c41757468656e7469\
        6361746f72204174746573746174696f6e204341310b30090603550406130241413020170d3234303130313030303030305a180f3330323\
        4303130313030303030305a3062311e301c06035504030c15576562417574686e207465737420766563746f7273310c300a060355040a0c\
        0357334331253023060355040b0c1c41757468656e74696361746f72204174746573746174696f6e204341310b300906035504061302414\
        13059301306072a8648ce3d020106082a8648ce3d030107034200043269300e5ff7b699015f70cf80a8763bf705bc2e2af0c1b39cff718b\
        7c35880ca30f319078d91b03389a006fdfc8a1dcd84edfa07d30aa13474a248a0dab5baaa3423040300f0603551d130101ff04053003010\
        1ff300e0603551d0f0101ff040403020106301d0603551d0e0416041445aff715b0dd786741fee996ebc16547a3931b1e300a06082a8648\
        ce3d04030203480030450220483063b6bb08dcc83da33a02c11d2f42203176893554d138c614a36908724cc8022100f5ef2c912d4500b3e\
        2f5b591d0622491e9f220dfd1f9734ec484bb7e90887663
        """
}
