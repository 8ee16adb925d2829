import Cryptography

extension TestKeys {
    /// A key with primes like those of the faulty chips of CVE-2017-15361: powers of 65537 modulo the product of the
    /// first 126 primes.
    static var factorable: PrivateKey {
        get throws {
            try PrivateKey(
                pem: """
                    -----BEGIN PRIVATE KEY-----
                    MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCvP07X9uTPzQgn
                    Iv2VQHK8mJmhXpX0ee0900hD/mWHQHNUJTlIQGZpr8VLKp2j8aegLGesj1eOWMQD
                    KVyiSlYJFbk4O0f7i04vjiUnROjFsMGOAeVdPp99W3h1Ul0TuPMJK6nAFC7rihr9
                    JMbZ2eQlBmEuyvgeiK7ni9esJ+5nGrgEM/2IdkTnbgeNJlh0F5lLKxyJS4XRYlcq
                    2mE4X8m/t0J203kVatfqHzTQZ1vtsL0SKGr4GfqO/Lbfh0RCJN5B20RG2FcmNemZ
                    FjcdiabBH0vZdxjY7Iub/BoAvtRgKQgLz+EQcKuJft5jM7mGMn5mUxGPH8k/uHlC
                    XLjPmn9TAgMBAAECggEAdxL7DX7yhcd4jK8Xwnvh+gduC9lq5oyaCHIxHhITBk1i
                    j4AjZdZsP89wrNwt9KFUFl9VqkhTY6MovEU0bgk4YD/kdDLDfEVxQJrC3+XQi9LI
                    ESd0o2DTmae3N3BZUfdPG6IRWzPblatnHy4H9yo3/HhTPCopYQXaYfYA+za+pErB
                    RQc8ugA7Rc/bRATcEieXo1H8QllvPsCSEjdEY0doDv5fjcoWl3G+ZluMHAay521g
                    rM9nW5OTRB6Zn/3xHpQeoCvz8CMSwJfDAOcpH+yMIio0fTAO/HI5pV3L4Gh4LoGA
                    L63x9sZUmcvroCZdk9ZoaXRXJ1aTxAjk16ap9FChoQKBgQDL0rOsTSD034Jd8Ftq
                    +bON8bcCtnSWtRwLUJ66aSGZXgWXCQfutZbXcJpne27TCs7hmvaoyHaegwJJi1gx
                    mUUwvnRPkgD2ekCgOYuKVuwk4yg7mJQOaCVBv5s4iVdkWRSaP0nBjTiY7xBC8/lr
                    2V6FSjHlYOEAfPWcNJnE/BBTyQKBgQDcG+2m5S+L2qWfcvZ1QxaG44WmJzOBdEfD
                    ZxvScNi8UeHI+jtpnp21twhbpLoVnpJiKXrWiBvdJYb6fBhwTooUq6QxYVCj+Hwo
                    rlL6pQgpQqlViwiRnjj6mM8F7MuXlhGwPQG9HBTbuSPOLJYO1o3J5oK9b17nJWi6
                    BzL3iNWwOwKBgE7RYNeNT+RBlkk7TC629r86LJoo8jbhPEIH4AmX4/1JxYGdZWri
                    37zZ92ty6O1FbbECWsX0FyK+6KCF+QndCkuKKrImdKbbqagL+LD7Yf/1s7YwD3ju
                    vxGIxb58JcZRSE1Jkfz93lgNgk1RyS7ydMG4akkYSIoGyHeqQ5hQHQQ5AoGAeD/Z
                    ygATxbgiG8ZW1yFbwT2z2l44SVUZj6tZC9MS1W92hrIOm1lIl+ny6v5Hm2ASYQaA
                    UYvyjRLfdyEsyM5fqYNMJJ4hzDMIwcDbHIvktYXxtQZMHCHwxxeMopQHdj1KVJo/
                    xOz+iDvRT+YT5O9abx879fpOQsGxQVCFi65579kCgYAGdaCeNfsQHx9UQ9oPZ6f7
                    kuh0gNCHVX2bXutan1W+9IryomfDnmZpjEPUR3mAt3VVntyxe3R3Fs5/qOqiimwg
                    rdUMD1lAd6ZFM+u/BFRZHh71CW7O3a7peI/Izxp2D+fuGWHviEAgyQ4RGc6o6J77
                    naC6keVRximbdc1u/R2aAQ==
                    -----END PRIVATE KEY-----
                    """)
        }
    }
}
