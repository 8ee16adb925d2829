import Testing

@testable import Cryptography

/// A stored text with its password, made by another program.
struct ForeignVector: Sendable, CustomTestStringConvertible {
    let text: String
    var password = "correct horse"
    let kind: PasswordHashKind

    var testDescription: String { String(text.prefix(32)) }
}

/// Hashes made with passlib 1.7.4, bcrypt 4.0.1, argon2-cffi 25.1, Django 5.2, pyescrypt 0.1 and cryptography 38 from
/// PyPI.
///
/// Each group has its Python code in a comment; `pw` is "correct horse".
enum ForeignVectors {
    static let all = bcrypt + shaCrypt + argon2 + pbkdf2 + scrypt + django + yescrypt + firebase

    // passlib.hash.bcrypt.using(rounds=4, ident=i, salt="abcdefghijklmnopqrstuu").hash(pw)
    // bcrypt.hashpw(pw.encode(), b"$2b$05$abcdefghijklmnopqrstuu"), and of b""
    static let bcrypt: [ForeignVector] = [
        .init(text: "$2a$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e", kind: .bcrypt),
        .init(text: "$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e", kind: .bcrypt),
        .init(text: "$2y$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e", kind: .bcrypt),
        .init(text: "$2b$05$abcdefghijklmnopqrstuuHNbAKRhpaujgo33bRWs.NLUTJO3lOy2", kind: .bcrypt),
        .init(
            text: "$2b$04$abcdefghijklmnopqrstuubyCG3zY1GIXMyxfivm.ClDiInHzxjiq", password: "", kind: .bcrypt),
    ]

    // h.using(rounds=5000, salt="somesalt").hash(pw), h.using(rounds=1000, salt="sixteencharssalt").hash(pw) and
    // h.using(rounds=1000, salt="somesalt").hash("") for h in passlib.hash.sha256_crypt, passlib.hash.sha512_crypt
    static let shaCrypt: [ForeignVector] = [
        .init(text: "$5$somesalt$LYDm9wv8Bmj0JnjKFd04iLBpiTRAqXvPRdEFunFxgJC", kind: .shaCrypt),
        .init(text: "$5$rounds=5000$somesalt$LYDm9wv8Bmj0JnjKFd04iLBpiTRAqXvPRdEFunFxgJC", kind: .shaCrypt),
        .init(text: "$5$rounds=1000$sixteencharssalt$IJ0fR0ozzD2l7215uZLljDjZdFa/ul6ArUrpZM5SKY6", kind: .shaCrypt),
        .init(
            text: "$5$rounds=1000$somesalt$LfvR7pEZiPsBwyjIIQN9CT3TYB5l/GzOVVUoRMoOEb4", password: "", kind: .shaCrypt
        ),
        .init(
            text:
                "$6$somesalt$/6/DOZ6XPt8TWos3ywDgUa/X8vByGWTZbxM1kg0wDOnc1co.8iO54MmmQYM15M1SFjcHgitRT279chPGc8rts0",
            kind: .shaCrypt),
        .init(
            text:
                "$6$rounds=1000$sixteencharssalt$6fMixKYHNog2dd1oK5LM3/uVMMWHwdnudp6ftUKoaS.mQLBrfW14J3g6CLqBEyPbLBp1HE12hzkbJp4PgGiCn0",
            kind: .shaCrypt),
        .init(
            text:
                "$6$rounds=1000$somesalt$o7c6VF71AdW8z5GFdRBxg8n03TH0W2adAh/2RICgje7ilSUGQyUvW5lXbPY9fIYjyT50npRzFhYb4LNvhS6NO/",
            password: "", kind: .shaCrypt),
    ]

    // argon2.low_level.hash_secret(pw.encode(), b"somesaltsomesalt", 2, 256, 2, 32, type, version)
    static let argon2: [ForeignVector] = [
        "$argon2d$v=16$m=256,t=2,p=2$c29tZXNhbHRzb21lc2FsdA$Vsduz//pjrOcSmahztJiAdx9286fBYiMKmsq/67Y1gc",
        "$argon2d$v=19$m=256,t=2,p=2$c29tZXNhbHRzb21lc2FsdA$laKohV9rnzZ4eIJ6Xr4VA9rEJjUBaFiXeg9Yxw0teJY",
        "$argon2i$v=16$m=256,t=2,p=2$c29tZXNhbHRzb21lc2FsdA$8neBUFmP42sg7qyWqyNvnpxmAGSU3ug/IbemiX0wFlo",
        "$argon2i$m=256,t=2,p=2$c29tZXNhbHRzb21lc2FsdA$8neBUFmP42sg7qyWqyNvnpxmAGSU3ug/IbemiX0wFlo",
        "$argon2i$v=19$m=256,t=2,p=2$c29tZXNhbHRzb21lc2FsdA$23nZJWEVcV7e+6c0uk3+c/GoEqwhBxVq5uyCuXLwEJU",
        "$argon2id$v=16$m=256,t=2,p=2$c29tZXNhbHRzb21lc2FsdA$WAgW5Uz7PdywIiJOUDNROglQzNYE+MSS1VUtnpef0fo",
        "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHRzb21lc2FsdA$+j6fpp969JWgSLHyZRDuFMvgabplCo/vJO3PVDSbjOo",
    ].map { .init(text: $0, kind: .argon2) }

    // passlib.hash.pbkdf2_sha1, .pbkdf2_sha256, .pbkdf2_sha512: .using(rounds=1000, salt=b"\xfb\xff\xfesome salt 16by").hash(pw)
    // The fourth and fifth are the second in the PHC string format.
    static let pbkdf2: [ForeignVector] = [
        "$pbkdf2$1000$.//.c29tZSBzYWx0IDE2Ynk$hirnoVyAli13im5u.kKtl9FcHKU",
        "$pbkdf2-sha256$1000$.//.c29tZSBzYWx0IDE2Ynk$Uzi.pReLWBmS8wGPbNSgeL3lU.JUaiXvlaU7MHB8Tng",
        "$pbkdf2-sha512$1000$.//.c29tZSBzYWx0IDE2Ynk$xN7q1vl2Efb682GHL5YOhfWEwXtzghCWuRzNCj0ga0.bKffwU9KtQ0WWjQtM3lCj658I4ukj8/ZRXOC35YgeHg",
        "$pbkdf2-sha256$i=1000,l=32$+//+c29tZSBzYWx0IDE2Ynk$Uzi+pReLWBmS8wGPbNSgeL3lU+JUaiXvlaU7MHB8Tng",
        "$pbkdf2-sha256$i=1000$+//+c29tZSBzYWx0IDE2Ynk$Uzi+pReLWBmS8wGPbNSgeL3lU+JUaiXvlaU7MHB8Tng",
    ].map { .init(text: $0, kind: .pbkdf2) }

    // passlib.hash.scrypt.using(rounds=10, block_size=8, parallelism=2, salt=b"somesaltsomesalt").hash(pw)
    // passlib.hash.scrypt.using(ident="$7$", rounds=10, block_size=8, parallelism=1, salt=b"somesalt").hash(pw)
    static let scrypt: [ForeignVector] = [
        "$scrypt$ln=10,r=8,p=2$c29tZXNhbHRzb21lc2FsdA$ytETQei6Pjo6kngSMxouNKSWgZqup9i8n5isXNSvKKM",
        "$7$86..../....somesalt$oEkkZvuhxIY3VCX2c6eLNtL5hqSw5yPkm14wymfFYf2",
    ].map { .init(text: $0, kind: .scrypt) }

    // django.contrib.auth.hashers: PBKDF2PasswordHasher().encode(pw, "somesalt", 1000), PBKDF2SHA1PasswordHasher().encode(…),
    // Argon2PasswordHasher().encode(pw, "somesaltsomesalt") with time_cost=2, memory_cost=256, parallelism=2,
    // BCryptPasswordHasher().encode(pw, b"$2b$04$abcdefghijklmnopqrstuu"), BCryptSHA256PasswordHasher().encode(…), the same
    // of "a" * 100, ScryptPasswordHasher().encode(pw, "somesalt", n=1024, r=8, p=1)
    static let django: [ForeignVector] = [
        .init(text: "pbkdf2_sha256$1000$somesalt$3UXLHR2dsBArfqHwukhrdUO9gJfc1BvmMq0GPd9sP6E=", kind: .pbkdf2),
        .init(text: "pbkdf2_sha1$1000$somesalt$RUPdysXOMBdPp5FrGMvEVztfS7c=", kind: .pbkdf2),
        .init(
            text:
                "argon2$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHRzb21lc2FsdA$+j6fpp969JWgSLHyZRDuFMvgabplCo/vJO3PVDSbjOo",
            kind: .argon2),
        .init(text: "bcrypt$$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e", kind: .bcrypt),
        .init(text: "bcrypt_sha256$$2b$04$abcdefghijklmnopqrstuuIvyWZlBcE3WoQXKqRnwrLYJ6nenE0Bq", kind: .bcrypt),
        .init(
            text: "bcrypt_sha256$$2b$04$abcdefghijklmnopqrstuugx2ZcUdj4MifIXvs/QwBsAizByf4XWu",
            password: String(repeating: "a", count: 100), kind: .bcrypt),
        .init(
            text:
                "scrypt$1024$somesalt$8$1$NATD5a63PUUWoTMSKKJeWX4dre3xh7/B8mDwvrxG5ErBa2P5yX3Trkqpy3ej10vgSW5uzTUBgTx3+6TfZ450Rw==",
            kind: .scrypt),
    ]

    // pyescrypt.Yescrypt(n=2**12, r=32, p=1, mode=Mode.MCF).digest(pw.encode(), b"0123456789abcdef"), and with n=2**10, r=8
    static let yescrypt: [ForeignVector] = [
        "$y$j9T$k2XAnEHBqQ1Ct2aMXFKNa/$Ry7oZ9ThqkDutyuKduodO92iRCkOPEVA3D3cGUEN1J1",
        "$y$j75$k2XAnEHBqQ1Ct2aMXFKNa/$E9XAySfP6N2THWdzNKesSVmhpcmhNusa8y5TMfT668.",
    ].map { .init(text: $0, kind: .yescrypt) }

    /// The example of Firebase's own scrypt utility, and the same project's hash of another password.
    static let firebaseProject = FirebaseParameters(
        signerKey: "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
        saltSeparator: "Bw==", rounds: 8, memoryCost: 14)
    static let firebaseSalt = "42xEC+ixf3L2lw=="
    static let firebaseHash =
        "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="

    // k = hashlib.scrypt(pw, salt=b64(salt) + b64(separator), n=2**14, r=8, p=1, dklen=32, maxmem=2**26)
    // cryptography: Cipher(algorithms.AES(k), modes.CTR(bytes(16))).encryptor().update(bytes(64)) gives the last part.
    static let firebase: [ForeignVector] = [
        .init(
            text:
                "$firebase-scrypt$ln=14,r=8,p=1$42xEC+ixf3L2lwc$GjH2+Jz+dglLj5NuFkZHgBvZnv8Z8VZE5sdIgEAbIgeXy+ZfSpJLu1A++pZcpx0OhX41mDwvu2Olmp+PnfLfyQ",
            password: "user1password", kind: .firebase)
    ]
}
