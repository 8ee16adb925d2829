/// Certificates from other sources: one is the example of Web Authentication §8.2.1, `certificates.py` wrote the
/// others.
enum CertificateFixtures {
    static let example = """
        -----BEGIN CERTIFICATE-----
        MIIBzTCCAXOgAwIBAgIUYHS3FJEL/JTfFqafuAHvlAS+hDYwCgYIKoZIzj0EAwIw
        QTELMAkGA1UEBhMCVVMxFDASBgNVBAoMC1dlYkF1dGhuIFdHMRwwGgYDVQQDDBNF
        eGFtcGxlIEF0dGVzdGF0aW9uMCAXDTI0MDEwMzE3NDUyMVoYDzIwNTAwMTA2MTc0
        NTIxWjBBMQswCQYDVQQGEwJVUzEUMBIGA1UECgwLV2ViQXV0aG4gV0cxHDAaBgNV
        BAMME0V4YW1wbGUgQXR0ZXN0YXRpb24wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AATDQN9uaFFH4BKBjthHTM1drpb7gIuPod67qyF6UdL4qah6XUp6tE7Prl+DfQ7P
        YH9yMOOcci3nr+Q/jOBaWVERo0cwRTAhBgsrBgEEAYLlHAEBBAQSBBDNjDlcJu3u
        3mU7AHl9A8o8MBIGCysGAQQBguUcAQEFBAMCASowDAYDVR0TAQH/BAIwADAKBggq
        hkjOPQQDAgNIADBFAiA3k3aAUVtLhDHLXOgY2kRnK2hrbRgf2EKdTDLJ1Ds/RAIh
        AOmIblhI3ALCHOaO0IO7YlMpw/lSTvFYv3qwO3m7H8Dc
        -----END CERTIFICATE-----
        """

    /// By OpenSSL, with the factorable key of the providers' tests.
    static let factorable = """
        -----BEGIN CERTIFICATE-----
        MIIDCzCCAfOgAwIBAgIUfDPV5NQI7UOJ2Yd2rcrXX/XCmZcwDQYJKoZIhvcNAQEL
        BQAwFTETMBEGA1UEAwwKRmFjdG9yYWJsZTAeFw0yNjEyMDEwMjM5MTlaFw00OTEx
        MzAwMjM5MTlaMBUxEzARBgNVBAMMCkZhY3RvcmFibGUwggEiMA0GCSqGSIb3DQEB
        AQUAA4IBDwAwggEKAoIBAQCvP07X9uTPzQgnIv2VQHK8mJmhXpX0ee0900hD/mWH
        QHNUJTlIQGZpr8VLKp2j8aegLGesj1eOWMQDKVyiSlYJFbk4O0f7i04vjiUnROjF
        sMGOAeVdPp99W3h1Ul0TuPMJK6nAFC7rihr9JMbZ2eQlBmEuyvgeiK7ni9esJ+5n
        GrgEM/2IdkTnbgeNJlh0F5lLKxyJS4XRYlcq2mE4X8m/t0J203kVatfqHzTQZ1vt
        sL0SKGr4GfqO/Lbfh0RCJN5B20RG2FcmNemZFjcdiabBH0vZdxjY7Iub/BoAvtRg
        KQgLz+EQcKuJft5jM7mGMn5mUxGPH8k/uHlCXLjPmn9TAgMBAAGjUzBRMB0GA1Ud
        DgQWBBTpwl/UZxI3U1Rt/+gdel7fIn1MxDAfBgNVHSMEGDAWgBTpwl/UZxI3U1Rt
        /+gdel7fIn1MxDAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQBb
        bWLxnCVBmPVCk/HWc2xPymDK6dD6oAZPb7gSCeZhckCPTc1PnHM4lf4LHpxpAoAp
        23I6TDZ5gj8aE0ATX9EJVLwJyb3Jtrb7UPmRCOAmMNH2nT3piKndBmXz1BjpA/Pq
        r5NBgN8m4rO7vP8nGQdv0rAgPdQ+IsmYfFOuwizxmP8ogcDMh68F6Cal25s6X2zv
        4ZHrEDzareFUAF6PCB7XTyUTcLoS2CW58GCGdmGPEaniQ38s+wkHa54u9VoSCT0J
        lXI/RIEYw/LlHHv3IyzPw9fRv4ZpuBvh7DLxPwBQAlgMFw1z0eML6sCZiwM8mvQE
        pxNK8a5yxpetcguXDUQi
        -----END CERTIFICATE-----
        """

    /// An RSA key, signed by itself.
    static let root = """
        -----BEGIN CERTIFICATE-----
        MIIDQzCCAiugAwIBAgIUC+oMM045CtoFHJNfyGFVbuhwnScwDQYJKoZIhvcNAQEL
        BQAwUTELMAkGA1UEBhMCU0UxDzANBgNVBAoMBk3DpGtlcjEiMCAGA1UECwwZQXV0
        aGVudGljYXRvciBBdHRlc3RhdGlvbjENMAsGA1UEAwwEUm9vdDAeFw0yMDAxMDEw
        MDAwMDBaFw00OTEyMzEwMDAwMDBaMFExCzAJBgNVBAYTAlNFMQ8wDQYDVQQKDAZN
        w6RrZXIxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDTALBgNV
        BAMMBFJvb3QwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCoVHlTqe4d
        r7fb16MA6ZAG/JfMQ/MQiun9/6xO8LyqSYN9CK/edRdRvZad980t+EdBmTdVAOMj
        ksVLBkxM1294DNriOSDB/NgFZMRmlTWNg91GxJAgDLbRRR9aboQhONKVOe8bD2go
        TY2q2bOcmx8IcC4g7q3RiPM3WHMxQTpWCsPL0Gxx/RI+puu3RoPgbeuM/P77ZRl8
        VQrmx4pzMAvm1QtQcXr7GWNSgIAxI9wvtVgjj07BT5kVjkIB6kgf2B/cTTyddAYl
        tlUhlDaDLbInZsY3ea6ggg8XgfFeXCDUSmCwyE6VkNjTVasJiOiS3KAqKP4WH9lL
        oHt9e96FMii/AgMBAAGjEzARMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQEL
        BQADggEBAEUl3m77dQgtnvz5aUwb/dmphizO0bsclJiR/n7vGZJ6bfcHWTFGR2yX
        p6qc2pRrhAeoCR4HqhVwm+yj2YXahhwJHrCrDp5T+JyJmViqsRDFut9R5jSTzVO1
        zVQX6GtonxzGVckhlfX/5AM+KJLhrQ2k4WMf14444SZ8hljnSp3q+9usSNMpr6qU
        7idilF7C1fNlcZW0XQET7yOSNEHYqMrj8Mg4jYIdQh1SCoJjykO4+G/cdHIEzlbA
        92wBtz8RlihJxvaph+wMK7n3gQzUTrO/lQPCs9PbQg4uV09xjHlOFRQ4hu9yJJS5
        7YjbcuAXLEy7Y4sQy0eMRiMwc+DCt3o=
        -----END CERTIFICATE-----
        """

    /// A P-256 key, signed by the root: the intermediate authority.
    static let between = """
        -----BEGIN CERTIFICATE-----
        MIICezCCAWOgAwIBAgIUO0e02JO2utJZgRJs45VP3c01SnAwDQYJKoZIhvcNAQEL
        BQAwUTELMAkGA1UEBhMCU0UxDzANBgNVBAoMBk3DpGtlcjEiMCAGA1UECwwZQXV0
        aGVudGljYXRvciBBdHRlc3RhdGlvbjENMAsGA1UEAwwEUm9vdDAeFw0yMDAxMDEw
        MDAwMDBaFw00OTEyMzEwMDAwMDBaMFQxCzAJBgNVBAYTAlNFMQ8wDQYDVQQKDAZN
        w6RrZXIxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xEDAOBgNV
        BAMMB0JldHdlZW4wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS71sgMXFDqpJvr
        250hkj2uKX+Ghwbw/RezoeK4zba5lD8X/Dkm73UoLZfx8vGbW4LnDvKnc5dE1kH9
        JanQ77ZjoxMwETAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQAi
        9b5tPYewDbOHXmNbOuvivbhTJnO5PFkNicnCJpuQAFCmrd50/vU64WcvLreREdiW
        G83VfydFlNyrSuOhfyrht3merTNufwcFywIhPN20l93s7v/jtM2fH3KGESj121OP
        bdYlDEuz1C3QZdKkITOneHQnCos+ldNamrtm9ioLmIUIJ/SE+cF6K15W51wwx4xO
        PkB8UOqDHawHYUG4TzpPjLf2MYLfxv3Hla/jaM6djvILQACaZUQVHvtCVyKhMszj
        nJhmly3rl7gmqffZcWukt96jYtJ/PfYq+A6qZIs99dmPEclXGloKeFDXoUHHiprq
        6UazFhTRxe0tv4Gr/Wmc
        -----END CERTIFICATE-----
        """

    /// A P-256 key of an authenticator model, signed by the intermediate authority.
    static let leaf = """
        -----BEGIN CERTIFICATE-----
        MIIB2TCCAYCgAwIBAgIUGZ44BFb7ry2tOrIaFOLPABRfjMUwCgYIKoZIzj0EAwIw
        VDELMAkGA1UEBhMCU0UxDzANBgNVBAoMBk3DpGtlcjEiMCAGA1UECwwZQXV0aGVu
        dGljYXRvciBBdHRlc3RhdGlvbjEQMA4GA1UEAwwHQmV0d2VlbjAeFw0yMDAxMDEw
        MDAwMDBaFw00OTEyMzEwMDAwMDBaMFExCzAJBgNVBAYTAlNFMQ8wDQYDVQQKDAZN
        w6RrZXIxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDTALBgNV
        BAMMBExlYWYwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASe786Tr4uOygodHoLB
        bkTR4vsptnkk/DvmFdMnLMhXlPD11/FI9mCWVbMWgqw3qNAV+hshvmhhaLJ7nPTd
        C1ulozMwMTAMBgNVHRMBAf8EAjAAMCEGCysGAQQBguUcAQEEBBIEEAABAgMEBQYH
        CAkKCwwNDg8wCgYIKoZIzj0EAwIDRwAwRAIgOWAswK3unzI8CgNaPid3veC7By7G
        D9Y7C2g4Lhw0zBcCIFUxfE5SAZhNThri45diQnmJqSjewA1BfakH/4st3VNH
        -----END CERTIFICATE-----
        """

    /// An RSA key of 2048 bits, signed by the intermediate authority.
    static let rsaLeaf = """
        -----BEGIN CERTIFICATE-----
        MIIChzCCAiygAwIBAgIUTPKe2BFv6pweZNltAsBnwQz9Z0YwCgYIKoZIzj0EAwIw
        VDELMAkGA1UEBhMCU0UxDzANBgNVBAoMBk3DpGtlcjEiMCAGA1UECwwZQXV0aGVu
        dGljYXRvciBBdHRlc3RhdGlvbjEQMA4GA1UEAwwHQmV0d2VlbjAeFw0yMDAxMDEw
        MDAwMDBaFw00OTEyMzEwMDAwMDBaMFUxCzAJBgNVBAYTAlNFMQ8wDQYDVQQKDAZN
        w6RrZXIxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xETAPBgNV
        BAMMCFJTQSBsZWFmMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqFR5
        U6nuHa+329ejAOmQBvyXzEPzEIrp/f+sTvC8qkmDfQiv3nUXUb2WnffNLfhHQZk3
        VQDjI5LFSwZMTNdveAza4jkgwfzYBWTEZpU1jYPdRsSQIAy20UUfWm6EITjSlTnv
        Gw9oKE2NqtmznJsfCHAuIO6t0YjzN1hzMUE6VgrDy9Bscf0SPqbrt0aD4G3rjPz+
        +2UZfFUK5seKczAL5tULUHF6+xljUoCAMSPcL7VYI49OwU+ZFY5CAepIH9gf3E08
        nXQGJbZVIZQ2gy2yJ2bGN3muoIIPF4HxXlwg1EpgsMhOlZDY01WrCYjoktygKij+
        Fh/ZS6B7fXvehTIovwIDAQABoxAwDjAMBgNVHRMBAf8EAjAAMAoGCCqGSM49BAMC
        A0kAMEYCIQCcvfFFZq3KNCAcmJWQaC90QPluoUuD4yD8bGm7788l7QIhAKGYleXQ
        Bp/Xtt1njN22CG7G4zUiWv45tmVnMS2U8yhQ
        -----END CERTIFICATE-----
        """

    /// An RSA key of 1024 bits, signed by the intermediate authority.
    static let shortLeaf = """
        -----BEGIN CERTIFICATE-----
        MIICBDCCAaqgAwIBAgIUHs/JnN8Ad3uGzLPCSEknrCzcQxowCgYIKoZIzj0EAwIw
        VDELMAkGA1UEBhMCU0UxDzANBgNVBAoMBk3DpGtlcjEiMCAGA1UECwwZQXV0aGVu
        dGljYXRvciBBdHRlc3RhdGlvbjEQMA4GA1UEAwwHQmV0d2VlbjAeFw0yMDAxMDEw
        MDAwMDBaFw00OTEyMzEwMDAwMDBaMFcxCzAJBgNVBAYTAlNFMQ8wDQYDVQQKDAZN
        w6RrZXIxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xEzARBgNV
        BAMMClNob3J0IGxlYWYwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBAMkxOhwn
        6LQvleO77yduxkKzN6ImatdDgXFHzHMdxXXZINP2NcFNslzL3WzAgnTL+LXxfULe
        fm++iE9KBE0DWBP0O1jrSTpHhaAQ7P50M6J7Wf2qwVEsvrhbZW0j5ITl2HQDOfXq
        SPxTeRQHwEca59yPhA8S5TNsXrzGfFAd1zuFAgMBAAGjEDAOMAwGA1UdEwEB/wQC
        MAAwCgYIKoZIzj0EAwIDSAAwRQIhALXAkbARJ2REvsuIuyBW3DfSKlQHcFE5w+bd
        NvBTKfYgAiBC543Fcnca5NatYW3kXX+oLcmuW5LmqD4jpMks4tcm0Q==
        -----END CERTIFICATE-----
        """
}
