"""Calls the API of Amazon Cognito user pools with boto3, unmodified, for tests.

Arguments: the endpoint, and `sign` to sign with the environment's keys. Each line of input is `{"operation", "parameters"}`.
Each line of output is the answer, or `{"error", "message", "status"}`. boto3 checks both against Amazon's own description.
"""

import datetime
import json
import sys

import boto3
from botocore import UNSIGNED, xform_name
from botocore.config import Config
from botocore.exceptions import ClientError, ParamValidationError


def text(value):
    """Values that JSON does not have."""
    if isinstance(value, datetime.datetime):
        return value.timestamp()
    raise TypeError(type(value))


endpoint, signs = sys.argv[1], "sign" in sys.argv[2:]
settings = {"retries": {"max_attempts": 0}}
if not signs:
    settings["signature_version"] = UNSIGNED
pools = boto3.client("cognito-idp", endpoint_url=endpoint, region_name="eu-central-1", config=Config(**settings))
for line in sys.stdin:
    call = json.loads(line)
    try:
        answer = getattr(pools, xform_name(call["operation"]))(**call["parameters"])
        answer.pop("ResponseMetadata")
    except ClientError as error:
        answer = {
            "error": error.response["Error"]["Code"],
            "message": error.response["Error"]["Message"],
            "status": error.response["ResponseMetadata"]["HTTPStatusCode"],
        }
    except ParamValidationError as error:
        answer = {"error": "ParamValidationError", "message": str(error)}
    print(json.dumps(answer, default=text), flush=True)
