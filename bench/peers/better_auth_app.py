"""A server with better-auth's Python port, as its documentation has it: FastAPI, SQLAlchemy, PostgreSQL.

PEER_HASH=comparable hashes at the gateway's cost. The port has no setting for it, so its functions are replaced.
"""

import asyncio
import os
import sys

import argon2
import better_auth.auth
import better_auth.endpoints
from better_auth import BetterAuth, EmailAndPassword, RateLimit
from better_auth.adapters.sqlalchemy import SQLAlchemyAdapter
from better_auth.integrations.fastapi import BetterAuthFastAPI
from better_auth.plugins_ext.jwt import JWTPlugin
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import create_async_engine

if os.environ["PEER_HASH"] == "comparable":
    hasher = argon2.PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)
    better_auth.auth.hash_password = hasher.hash
    better_auth.endpoints.verify_password = hasher.verify

engine = create_async_engine(
    f"postgresql+asyncpg://peer@/{os.environ['PEER_DATABASE']}?host={os.environ['PEER_HOST']}")
adapter = SQLAlchemyAdapter(engine)
auth = BetterAuth(
    secret=os.environ["PEER_SECRET"], base_url=f"http://localhost:{os.environ['PEER_PORT']}", adapter=adapter,
    email_and_password=EmailAndPassword(enabled=True), rate_limit=RateLimit(enabled=False), plugins=[JWTPlugin()])
app = FastAPI()
app.include_router(BetterAuthFastAPI(auth).router)

if __name__ == "__main__" and sys.argv[1:] == ["create-tables"]:
    asyncio.run(adapter.create_tables())
