import JSON
import Testing

@testable import Cryptography

/// The worked examples of RFC 7515 and RFC 6979.
@Suite("Signature vectors")
struct SignatureVectorTests {
    private static let claims =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    static let rs256Key: JSON = [
        "kty": "RSA", "e": "AQAB",
        "n": .string(
            "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZ"
                + "S-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTB"
                + "EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91"
                + "kzk2PAcDTW9gb54h4FRWyuXpoQ"),
    ]
    static let rs256Token =
        "eyJhbGciOiJSUzI1NiJ9.\(claims)."
        + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CU"
        + "Ar7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_d"
        + "O--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0ig"
        + "cN_IoypGlUPQGe77Rw"

    static let es256Key: JSON = [
        "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    ]
    static let es256Token =
        "eyJhbGciOiJFUzI1NiJ9.\(claims)."
        + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

    @Test(
        "the tokens of RFC 7515 A.2 and A.3 are valid for their keys only",
        arguments: [
            (rs256Token, rs256Key, SignatureAlgorithm.RS256), (es256Token, es256Key, SignatureAlgorithm.ES256),
        ])
    func tokens(token: String, jwk: JSON, algorithm: SignatureAlgorithm) throws {
        let jwt = try JWT(parsing: token)
        let key = try PublicKey(jwk: jwk)
        #expect(jwt.claims == ["iss": "joe", "exp": 1_300_819_380, "http://example.com/is_root": true])
        #expect(jwt.isSigned(by: key, algorithm))
        for other in SignatureAlgorithm.allCases where other != algorithm {
            #expect(!jwt.isSigned(by: key, other))
        }
        #expect(!jwt.isSigned(by: try TestKeys.key(for: algorithm).publicKey, algorithm))
    }

    @Test("the signature of RFC 7515 A.4 is valid for its key")
    func es512() throws {
        let key = try PublicKey(jwk: [
            "kty": "EC", "crv": "P-521",
            "x": "AekpBQ8ST8a8VcfVOTNl353vSrDCLLJXmPk06wTjxrrjcBpXp5EOnYG_NjFZ6OvLFV1jSfS9tsz4qUxcWceqwQGk",
            "y": "ADSmRA43Z1DSNx_RvcLI87cdL07l6jQyyBXMoxVg_l2Th-x3S1WDhjDly79ajL4Kkd0AZMaZmh9ubmf63e3kyMj2",
        ])
        let signature = try #require(
            Base64URL.decode(
                "AdwMgeerwtHoh-l192l60hp9wAHZFVJbLfD_UxMi70cwnZOYaRI1bKPWROc-mZZqwqT2SI-KGDKB34XO0aw_7Xdt"
                    + "AG8GaSwFKdCAPZgoXD2YBJZCPEX3xKpRwcdOO8KpEHwJjyqOgzDO7iKvU8vcnwNrmxYbSW9ERBXukOXolLzeO_Jn"))
        let message = Array("eyJhbGciOiJFUzUxMiJ9.UGF5bG9hZA".utf8)
        #expect(key.verify(signature, of: message, algorithm: .ES512))
        #expect(!key.verify(signature, of: message + [0], algorithm: .ES512))
    }

    private static let rfc6979 = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"

    @Test(
        "the signatures of RFC 6979 A.2.5 verify",
        arguments: [
            (
                "sample",
                "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                    + "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
            ),
            (
                "test",
                "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
                    + "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"
            ),
        ])
    func es256(message: String, signature: String) throws {
        let key = try TestKeys.p256(privateNumber: try #require(Hex.decode(Self.rfc6979)))
        let made = try #require(Hex.decode(signature))
        #expect(key.publicKey.verify(made, of: Array(message.utf8), algorithm: .ES256))
        #expect(!key.publicKey.verify(made, of: Array(message.utf8) + [0], algorithm: .ES256))
    }

    @Test("the private number of RFC 6979 A.2.5 gives its public key")
    func publicHalf() throws {
        let key = try TestKeys.p256(privateNumber: try #require(Hex.decode(Self.rfc6979)))
        let jwk = key.publicKey.jwk(id: "rfc", algorithm: .ES256)
        let x = try #require(Hex.decode("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"))
        let y = try #require(Hex.decode("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"))
        #expect(
            jwk == [
                "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(x)), "y": .string(Base64URL.encode(y)),
                "kid": "rfc", "alg": "ES256", "use": "sig",
            ])
    }
}
