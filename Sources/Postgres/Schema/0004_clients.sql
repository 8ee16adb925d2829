-- Clients, the claims of their tokens, and the keys that sign tokens.

create table clients (
    id                   text collate "C" primary key check (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
    -- who brought it: an operator, or the app itself by a document or by dynamic registration
    origin               text not null default 'operator' check (origin in ('operator', 'document', 'registration')),
    name                 text not null,
    -- A confidential client authenticates with its secret, or with its keys (openid). A public client (a mobile or single-page app)
    -- cannot keep a secret: the one it has belongs to its back end, for introspection and events only.
    type                 text not null default 'public' check (type in ('public', 'confidential')),
    secret_digest        bytea,                                   -- SHA-256 of the secret
    secret_sealed        bytea,                                   -- or the secret, sealed: the key of an HMAC over requests
    audiences            text[] not null default '{account}' check (audiences <@ array['account', 'administration']),
    origins              text[] not null default '{}',
    redirect_uris        text[] not null default '{}',
    providers            text[] not null default '{}',            -- ids of sign-in methods; empty: none
    -- The accepted token audiences by provider. A provider without an entry accepts every configured audience.
    accepted_audiences   jsonb not null default '{}' check (jsonb_typeof(accepted_audiences) = 'object'),
    linking_policy       text not null default 'both_verified' check (linking_policy in ('both_verified', 'ask')),
    mfa                  text not null default 'optional' check (mfa in ('optional', 'required')),
    custom_challenge     boolean not null default false,          -- the operator's challenge may be a second factor
    foreign_nonces       boolean not null default false,          -- takes tokens with a nonce that the app's SDK made
    guests               boolean not null default false,          -- a sign-in without a credential makes an account
    sign_up_names        text[] not null default '{email}' check (sign_up_names <@ array['email', 'phone', 'user_name']),
    brand                jsonb check (jsonb_typeof(brand) = 'object'), -- the operator's identity on its pages; see ClientBrand
    -- when a sign-up, a reset or a code needs a bot check
    bot_check            text not null default 'beyond_budget' check (bot_check in ('off', 'beyond_budget', 'always')),
    -- its identifiers in the protocols of other vendors; see ClientDialects
    dialects             jsonb not null default '{}' check (jsonb_typeof(dialects) = 'object'),
    openid               jsonb not null default '{}' check (jsonb_typeof(openid) = 'object'),   -- see OpenIDSettings
    attributes           jsonb not null default '[]',             -- see ClientAttribute
    access_token_seconds integer not null default 600 check (access_token_seconds between 60 and 3600),
    refresh_idle_seconds integer not null default 2592000 check (refresh_idle_seconds between 60 and 31536000),
    refresh_max_seconds  integer not null default 7776000 check (refresh_max_seconds between 60 and 31536000),
    -- relaxed: a refresh keeps the refresh token, for an app that cannot store a new one.
    refresh_rotation     text not null default 'always' check (refresh_rotation in ('always', 'relaxed')),
    claims_changed_at    timestamptz,                             -- claims requested earlier are outdated
    disabled_at          timestamptz,
    -- It disabled itself: its document is gone, or it ended its registration. Else an operator did.
    withdrawn            boolean not null default false,
    live_since           timestamptz not null default '-infinity', -- when it was last enabled: older sessions are ended
    created_at           timestamptz not null default now(),
    constraint clients_one_secret check (secret_digest is null or secret_sealed is null),
    constraint clients_confidential_secret check (
        type = 'public' or secret_digest is not null or secret_sealed is not null or openid ?| array['jwks', 'jwks_uri'])
);

create unique index clients_cognito_client on clients ((dialects->'cognito'->>'client_id')) where dialects ? 'cognito';
create unique index clients_native_application on clients ((dialects->'native_auth'->>'application_id')) where dialects ? 'native_auth';

-- Registrations that no user granted anything to are deleted.
create index clients_registered on clients (created_at) where origin = 'registration';

-- The documents with which apps describe themselves (draft-ietf-oauth-client-id-metadata-document), fetched again when they are no
-- longer fresh.
create table client_documents (
    client_id    text primary key references clients on delete cascade,
    url          text collate "C" not null unique,
    digest       bytea not null,                       -- of name, redirect addresses, kind of subject and keys, to which users agreed
    fresh_until  timestamptz not null
);

-- One row for each client that no operator brought. Its own table, because every change of `clients` makes every server read them
-- again.
create table agents (
    client_id  text collate "C" primary key references clients on delete cascade,
    is_invited boolean not null default false,         -- it registered with the operator's initial access token
    used_at    timestamptz                             -- its last code or refresh, to the minute; null: none yet
);

-- The further apps at which an account has signed in, beyond the one of its creation: the back ends of all of them reach
-- it with their keys. Rows stay when sessions end. An app is never deleted.
create table account_apps (
    account_id uuid not null references accounts on delete cascade,
    client_id  text collate "C" not null,
    primary key (account_id, client_id)
);

-- What users granted to other makers' apps, asked for again after the expiry.
create table app_grants (
    account_id uuid not null references accounts on delete cascade,
    client_id  text collate "C" not null,
    scopes     text[] not null,
    granted_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (account_id, client_id)
);

create index app_grants_client on app_grants (client_id, expires_at);

-- The subjects by which the apps of a sector know users (OpenID Connect Core section 8.1), made at their first use. Random: a key to
-- compute them would link the sectors of every user. A merge moves the subjects of sectors in which the kept account has none.
create table pairwise_subjects (
    account_id uuid not null references accounts on delete cascade,
    sector     text collate "C" not null,
    subject    text not null,
    primary key (account_id, sector)
);

-- Additional claims of a client's tokens. The endpoint implements Entra's onTokenIssuanceStart.
create table client_claims (
    client_id       text primary key references clients on delete cascade,
    url             text,                              -- null: attributes only
    audience        text,
    application     text not null default '99045fe1-7639-4a75-9d4a-577b6ca3810f',   -- `azp` of the gateway's calls
    allowed         text[] not null default '{}',      -- the endpoint's claims that a token may carry
    failure         text not null default 'closed' check (failure in ('open', 'closed')),
    attributes      jsonb not null default '{}',       -- attribute to claim
    refresh_seconds integer check (refresh_seconds between 60 and 31536000),        -- null: requested once per session
    check ((url is null) = (audience is null))
);

-- Keys that sign access tokens: published from `published_at`, used from `activates_at`, removed after `retires_at`.
create table signing_keys (
    id           text primary key,
    algorithm    text not null check (algorithm in ('ES256', 'RS256')),
    sealed       bytea not null,                       -- PKCS #8, sealed with the master key
    public_jwk   jsonb not null,
    published_at timestamptz not null default now(),
    activates_at timestamptz,                          -- null: the next key
    retires_at   timestamptz
);
