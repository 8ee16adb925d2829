-- The audit log: the inbox for new events, the sealed events by month, and a chain of digests over them.

-- The audit inbox: event, account and reason, written in the transaction of the change. Inserts touch no index. The sealer
-- moves rows to audit_sealed within seconds. The actor and the operator's reason come from transaction settings.
create sequence audit_events_id_seq;
create domain audit_outcome as text check (value in ('done', 'refused'));
create table audit_inbox (
    id          bigint not null default nextval('audit_events_id_seq'),
    at          timestamptz not null default clock_timestamp(),
    action      text not null,
    outcome     audit_outcome not null,
    reason      text,
    account_id  uuid,
    identity_id uuid,
    session_id  uuid,
    client_id   text,
    provider    text,
    address     text,
    request_id  text,
    detail      jsonb,
    actor_id    uuid default nullif(current_setting('gateway.actor', true), '')::uuid,   -- the operator; null: the user or the server
    words       text default nullif(current_setting('gateway.words', true), '')          -- the operator's reason
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1);
alter sequence audit_events_id_seq owned by audit_inbox.id;

-- Sealed events, partitioned by the month of their time.
create table audit_sealed (
    position    bigint not null,                       -- in the order of sealing, 1-based, without gaps
    id          bigint not null,
    at          timestamptz not null,
    action      text not null,
    outcome     audit_outcome not null,
    reason      text,
    account_id  uuid,
    identity_id uuid,
    session_id  uuid,
    client_id   text,
    provider    text,
    address     text,
    request_id  text,
    detail      jsonb,
    actor_id    uuid,
    words       text,
    primary key (at, id)
) partition by range (at);
-- The index separates refreshes, which are most of an account's events, from the others.
create index audit_sealed_account on audit_sealed (account_id, (case when action = 'refreshed' then 1 else 0 end), id) where account_id is not null;
create index audit_sealed_actor on audit_sealed (actor_id, at) where actor_id is not null;
-- The events for a rehearsal of an app's linking rules. No sign-in or refresh is among them.
create index audit_sealed_linking on audit_sealed (client_id, at) where action in ('account_created', 'identity_linked', 'link_asked');
-- BRIN: one summary per 64 pages instead of one entry per row.
create index audit_sealed_summary on audit_sealed using brin
    (position, action text_bloom_ops, request_id text_bloom_ops (n_distinct_per_range = 4000)) with (pages_per_range = 64, autosummarize = on);
-- Events without a partition, such as those from a wrong clock.
create table audit_sealed_default partition of audit_sealed default;

-- The whole log. A statement sees each event exactly once, because the sealer moves it in one transaction.
create view audit_events as
    select id, at, action, outcome, reason, account_id, identity_id, session_id, client_id, provider, address, request_id, detail,
           actor_id, words from audit_sealed
    union all
    select id, at, action, outcome, reason, account_id, identity_id, session_id, client_id, provider, address, request_id, detail,
           actor_id, words from audit_inbox;

-- One link per batch of the sealer. docs/audit.md describes the digests.
create table audit_chain (
    position    bigint primary key,                    -- of the last event in the batch
    first_at    timestamptz not null,                  -- the earliest time of its events, all of one month
    last_at     timestamptz not null,
    key_id      text not null,                         -- the master key behind the digests
    event_ids   bigint[] not null,                     -- in the order of their positions
    row_digests bytea not null,                        -- 32 bytes per event, in the same order
    digest      bytea not null check (octet_length(digest) = 32),    -- over this link and the previous digest
    check (cardinality(event_ids) > 0 and octet_length(row_digests) = 32 * cardinality(event_ids))
);
alter table audit_chain alter column row_digests set storage external;

-- The start of the chain after pruning. One row.
create table audit_checkpoint (
    singleton     boolean primary key default true check (singleton),
    position      bigint not null,          -- the last removed position
    digest        bytea not null,           -- its link's digest
    pruned_before timestamptz not null      -- no event is older
);
insert into audit_checkpoint (position, digest, pruned_before) values (0, decode(repeat('00', 32), 'hex'), '-infinity');

-- Hourly counts of sealed events, so that an overview reads thousands of rows instead of millions. A missing name is ''.
-- Reasons are kept for refusals only.
create table audit_counts (
    hour     timestamptz not null,
    action   text not null,
    outcome  text not null,
    provider text not null,
    reason   text not null,
    count    bigint not null,
    primary key (hour, action, outcome, provider, reason)
) with (fillfactor = 70);
