"""Makes the certificates of CertificateFixtures.swift; needs the package `cryptography` (50.0).

Keys are new with each run, so what it prints differs; only what the tests say of it stays.
"""

import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

START = datetime.datetime(2020, 1, 1)
END = datetime.datetime(2049, 12, 31)
MODEL = x509.ObjectIdentifier("1.3.6.1.4.1.45724.1.1.4")


def name(common_name):
    return x509.Name(
        [
            x509.NameAttribute(NameOID.COUNTRY_NAME, "SE"),
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Mäker"),
            x509.NameAttribute(NameOID.ORGANIZATIONAL_UNIT_NAME, "Authenticator Attestation"),
            x509.NameAttribute(NameOID.COMMON_NAME, common_name),
        ]
    )


def certificate(subject, key, issuer, issuer_key, is_authority, algorithm=hashes.SHA256(), model=None, end=END):
    builder = (
        x509.CertificateBuilder()
        .subject_name(name(subject))
        .issuer_name(name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(START)
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
    )
    if model is not None:
        builder = builder.add_extension(x509.UnrecognizedExtension(MODEL, b"\x04\x10" + model), critical=False)
    return builder.sign(issuer_key, algorithm)


def show(label, made):
    print(f"// {label}")
    print(made.public_bytes(serialization.Encoding.PEM).decode())


root_key = rsa.generate_private_key(65537, 2048)
between_key = ec.generate_private_key(ec.SECP256R1())
leaf_key = ec.generate_private_key(ec.SECP256R1())
short_key = rsa.generate_private_key(65537, 1024)

show("root", certificate("Root", root_key, "Root", root_key, True))
show("between", certificate("Between", between_key, "Root", root_key, True))
show("leaf", certificate("Leaf", leaf_key, "Between", between_key, False, model=bytes(range(16))))
show("rsaLeaf", certificate("RSA leaf", root_key, "Between", between_key, False))
show("shortLeaf", certificate("Short leaf", short_key, "Between", between_key, False))
