-- Keys of our own access tokens. Public from `published_at`, used from `activates_at`, gone after `retires_at`.
create table signing_keys (
    id           text primary key,
    algorithm    text not null check (algorithm in ('ES256')),
    sealed       bytea not null,                      -- PKCS #8, sealed with the master key
    public_jwk   jsonb not null,
    published_at timestamptz not null default now(),
    activates_at timestamptz,                         -- null: the next one
    retires_at   timestamptz
);

create function signing_keys_changed() returns trigger language plpgsql as $$
begin
    perform pg_notify('gateway_keys', '');
    return null;
end $$;
create trigger signing_keys_changed after insert or update or delete on signing_keys
    for each statement execute function signing_keys_changed();
