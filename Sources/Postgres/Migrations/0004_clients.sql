-- Apps that may call the gateway.
create table clients (
    id                   text collate "C" primary key check (id ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
    name                 text not null,
    secret_digest        bytea,                       -- null: a public client
    origins              text[] not null default '{}',
    redirect_uris        text[] not null default '{}',
    providers            text[] not null default '{}',-- empty: every configured one
    linking_policy       text not null default 'both_verified' check (linking_policy in ('both_verified', 'ask')),
    access_token_seconds integer not null default 600 check (access_token_seconds between 60 and 3600),
    refresh_idle_seconds integer not null default 2592000 check (refresh_idle_seconds between 60 and 31536000),
    refresh_max_seconds  integer not null default 7776000 check (refresh_max_seconds between 60 and 31536000),
    disabled_at          timestamptz,
    created_at           timestamptz not null default now()
);

create function clients_changed() returns trigger language plpgsql as $$
begin
    perform pg_notify('gateway_clients', '');
    return null;
end $$;
create trigger clients_changed after insert or update or delete on clients
    for each statement execute function clients_changed();
