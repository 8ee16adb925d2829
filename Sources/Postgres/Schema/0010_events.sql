-- Webhook endpoints and the events that they receive, queued in the transaction that seals the audit rows.

create table event_endpoints (
    id            uuid primary key,
    url           text not null,
    secret        bytea not null,           -- sealed
    former_secret bytea,                    -- sealed; also signs until former_until
    former_until  timestamptz,
    types         text[] not null,          -- empty: every type
    client_id     text references clients,  -- null: events of every client and without a client
    disabled_at   timestamptz,
    failing_since timestamptz,
    created_at    timestamptz not null default clock_timestamp(),
    removed_at    timestamptz,              -- hidden from then on; the sweep deletes its deliveries, then the row
    constraint event_endpoints_removed check (removed_at is null or disabled_at is not null)
);

-- A payload holds ids and codes only, so a row may outlive its account: no foreign keys to accounts.
create table event_deliveries (
    number        bigint generated always as identity primary key,
    id            text not null unique,     -- the webhook-id, the same for every attempt
    endpoint_id   uuid not null references event_endpoints on delete cascade,
    event_id      bigint,                   -- the audit row; null for a test
    type          text not null,
    occurred_at   timestamptz not null,
    account_id    uuid,
    payload       jsonb not null,
    state         text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
    tries         integer not null default 0,
    not_before    timestamptz not null default now(),
    claimed_until timestamptz,
    give_up_at    timestamptz not null,
    last_status   integer,
    last_error    text,
    created_at    timestamptz not null default now(),
    settled_at    timestamptz
);
create index event_deliveries_due on event_deliveries (endpoint_id, not_before) where state = 'waiting';
create index event_deliveries_claimed on event_deliveries (endpoint_id, claimed_until) where claimed_until is not null;
create index event_deliveries_endpoint on event_deliveries (endpoint_id, number);
create index event_deliveries_settled on event_deliveries (settled_at) where settled_at is not null;
create index event_deliveries_dead on event_deliveries (endpoint_id, number) where state = 'dead';
