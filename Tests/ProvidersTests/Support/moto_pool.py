"""A user pool of moto's (https://github.com/getmoto/moto, an independent imitation of Amazon's services) for tests.

Prints one JSON line with what was made. After that each line of input is a secret, answered with its code of now. Ends
when its input ends.

moto never verifies an SRP proof, so that part is done here, with Python's own numbers and none of our code.
"""

import base64
import hashlib
import hmac
import json
import os
import secrets
import struct
import sys
import time

os.environ["MOTO_COGNITO_IDP_USER_POOL_ENABLE_TOTP"] = "true"
os.environ.setdefault("AWS_ACCESS_KEY_ID", "x")
os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "y")

import boto3
from moto.cognitoidp import models
from moto.cognitoidp.exceptions import NotAuthorizedError
from moto.server import ThreadedMotoServer

N = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F"
    "83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
    "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510"
    "15728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7"
    "ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200C"
    "BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF",
    16,
)
PASSWORD = "Corr3ct-Horse!"
TEMPORARY = "Temp-1234"


def padded(number):
    """The shortest two's complement form of a natural number."""
    return number.to_bytes(number.bit_length() // 8 + 1, "big")


def number(*parts):
    return int.from_bytes(hashlib.sha256(b"".join(parts)).digest(), "big")


k = number(padded(N), padded(2))
proofs = {}


def challenge(original):
    def initiate_auth(backend, client_id, auth_flow, auth_parameters):
        answer = original(backend, client_id, auth_flow, auth_parameters)
        if answer.get("ChallengeName") != "PASSWORD_VERIFIER":
            return answer
        parameters = answer["ChallengeParameters"]
        pool = next(pool for pool in backend.user_pools.values() if client_id in pool.clients)
        user = backend.admin_get_user(pool.id, auth_parameters["USERNAME"])
        realm, name = pool.id.split("_")[1], parameters["USER_ID_FOR_SRP"]
        inner = hashlib.sha256(f"{realm}{name}:{user.password}".encode()).digest()
        v = pow(2, number(padded(int(parameters["SALT"], 16)), inner), N)
        b = secrets.randbits(512)
        B = (k * v + pow(2, b, N)) % N
        parameters["SRP_B"] = f"{B:x}"
        proofs[parameters["SECRET_BLOCK"]] = (int(auth_parameters["SRP_A"], 16), v, b, B, realm + name)
        return answer

    return initiate_auth


def verified(original):
    def respond_to_auth_challenge(backend, session, client_id, challenge_name, challenge_responses):
        if challenge_name == "PASSWORD_VERIFIER":
            block = challenge_responses["PASSWORD_CLAIM_SECRET_BLOCK"]
            A, v, b, B, names = proofs.pop(block)
            u = number(padded(A), padded(B))
            S = pow(A * pow(v, u, N), b, N)
            root = hmac.digest(padded(u), padded(S), "sha256")
            key = hmac.digest(root, b"Caldera Derived Key\x01", "sha256")[:16]
            message = names.encode() + base64.b64decode(block) + challenge_responses["TIMESTAMP"].encode()
            claim = base64.b64encode(hmac.digest(key, message, "sha256")).decode()
            if A % N == 0 or claim != challenge_responses["PASSWORD_CLAIM_SIGNATURE"]:
                raise NotAuthorizedError("Incorrect username or password.")
        return original(backend, session, client_id, challenge_name, challenge_responses)

    return respond_to_auth_challenge


Backend = models.CognitoIdpBackend
Backend.initiate_auth = challenge(Backend.initiate_auth)
Backend.respond_to_auth_challenge = verified(Backend.respond_to_auth_challenge)


def code_of_now(secret):
    """RFC 6238, as authenticator apps have it."""
    key = base64.b32decode(secret.upper() + "=" * (-len(secret) % 8))
    code = hmac.digest(key, struct.pack(">Q", int(time.time()) // 30), "sha1")
    start = code[-1] & 15
    return f"{(int.from_bytes(code[start : start + 4], 'big') & 0x7FFFFFFF) % 1000000:06}"


def make_pool(idp, name, secret):
    pool = idp.create_user_pool(PoolName=name)["UserPool"]["Id"]
    flows = ["ALLOW_USER_SRP_AUTH", "ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]
    client = idp.create_user_pool_client(
        UserPoolId=pool, ClientName=name, GenerateSecret=secret, ExplicitAuthFlows=flows
    )["UserPoolClient"]
    return {"pool": pool, "client": client["ClientId"], "secret": client.get("ClientSecret")}


def make_user(idp, pool, name, permanent):
    attributes = [{"Name": "email", "Value": f"{name}@example.com"}]
    idp.admin_create_user(
        UserPoolId=pool["pool"], Username=name, TemporaryPassword=TEMPORARY, UserAttributes=attributes,
        MessageAction="SUPPRESS",
    )
    if permanent:
        idp.admin_set_user_password(UserPoolId=pool["pool"], Username=name, Password=PASSWORD, Permanent=True)


def add_authenticator_app(idp, pool, name):
    """Signs in once, and sets the app up with the tokens."""
    parameters = {"USERNAME": name, "PASSWORD": PASSWORD}
    tokens = idp.initiate_auth(AuthFlow="USER_PASSWORD_AUTH", ClientId=pool["client"], AuthParameters=parameters)
    access = tokens["AuthenticationResult"]["AccessToken"]
    secret = idp.associate_software_token(AccessToken=access)["SecretCode"]
    idp.verify_software_token(AccessToken=access, UserCode=code_of_now(secret))
    idp.set_user_mfa_preference(
        AccessToken=access, SoftwareTokenMfaSettings={"Enabled": True, "PreferredMfa": True}
    )
    return secret


def main():
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    idp = boto3.client("cognito-idp", endpoint_url=f"http://{host}:{port}", region_name="us-east-1")
    made = {"port": port, "public": make_pool(idp, "public", False), "secret": make_pool(idp, "secret", True)}
    for kind in ("public", "secret"):
        make_user(idp, made[kind], "ann", True)
        make_user(idp, made[kind], "new", False)
    idp.sign_up(ClientId=made["public"]["client"], Username="unconfirmed", Password=PASSWORD)
    make_user(idp, made["public"], "app", True)
    made["totp"] = add_authenticator_app(idp, made["public"], "app")
    made["demanding"] = make_pool(idp, "demanding", False)
    make_user(idp, made["demanding"], "new", False)
    idp.set_user_pool_mfa_config(
        UserPoolId=made["demanding"]["pool"], SoftwareTokenMfaConfiguration={"Enabled": True}, MfaConfiguration="ON"
    )
    print(json.dumps(made), flush=True)
    for line in sys.stdin:
        print(json.dumps({"code": code_of_now(line.strip())}), flush=True)
    server.stop()


main()
