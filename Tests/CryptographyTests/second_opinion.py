"""Signs or verifies a JWT with PyJWT: second_opinion.py sign PEM ALGORITHM, or verify JWK ALGORITHM.

Standard input has the claims, or the token.
"""
import json
import sys

import jwt

action, key, algorithm = sys.argv[1:]
if action == "sign":
    print(jwt.encode(json.load(sys.stdin), key, algorithm, headers={"kid": "k"}), end="")
else:
    claims = jwt.decode(sys.stdin.read(), jwt.PyJWK(json.loads(key)), [algorithm], audience="app")
    json.dump(claims, sys.stdout)
