-- The audit log: an inbox that requests write to, the sealed events by months, and a chain of digests over them.

-- What happened, to which account, and why: written in the transaction of the change. A request adds a row and no index entry;
-- the sealer moves rows from here to audit_sealed within seconds. The actor and the words come from the transaction's settings.
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
    actor_id    uuid default nullif(current_setting('gateway.actor', true), '')::uuid,   -- the operator; null: the person or the server
    words       text default nullif(current_setting('gateway.words', true), '')          -- the operator's reason
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1);
alter sequence audit_events_id_seq owned by audit_inbox.id;

-- Events that have their place in the chain, by months of their time.
create table audit_sealed (
    position    bigint not null,                       -- in the order of sealing, from 1, without holes
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
-- Refreshes are most of an account's events: the index keeps them apart, so that the others are found without them.
create index audit_sealed_account on audit_sealed (account_id, (case when action = 'refreshed' then 1 else 0 end), id) where account_id is not null;
create index audit_sealed_actor on audit_sealed (actor_id, at) where actor_id is not null;
-- What the linking rules of an app are rehearsed with. No sign-in or refresh is among these events.
create index audit_sealed_linking on audit_sealed (client_id, at) where action in ('account_created', 'identity_linked', 'link_asked');
-- A summary of each 64 pages instead of an entry for each row.
create index audit_sealed_summary on audit_sealed using brin
    (position, action text_bloom_ops, request_id text_bloom_ops (n_distinct_per_range = 4000)) with (pages_per_range = 64, autosummarize = on);
-- Events that no month takes: those of a wrong clock, and of a time without a partition.
create table audit_sealed_default partition of audit_sealed default;

-- The whole log. A statement sees each event on one side only, because the sealer moves it in one transaction.
create view audit_events as
    select id, at, action, outcome, reason, account_id, identity_id, session_id, client_id, provider, address, request_id, detail,
           actor_id, words from audit_sealed
    union all
    select id, at, action, outcome, reason, account_id, identity_id, session_id, client_id, provider, address, request_id, detail,
           actor_id, words from audit_inbox;

-- One link for each batch of the sealer. docs/audit.md describes the digests.
create table audit_chain (
    position    bigint primary key,                    -- of the batch's last event
    first_at    timestamptz not null,                  -- the earliest time of its events, which are of one month
    last_at     timestamptz not null,
    key_id      text not null,                         -- the master key behind the digests
    event_ids   bigint[] not null,                     -- in the order of their positions
    row_digests bytea not null,                        -- 32 bytes for each event, in the same order
    digest      bytea not null check (octet_length(digest) = 32),    -- of this link and the digest before it
    check (cardinality(event_ids) > 0 and octet_length(row_digests) = 32 * cardinality(event_ids))
);
alter table audit_chain alter column row_digests set storage external;

-- Where the chain begins after pruning. One row.
create table audit_checkpoint (
    singleton     boolean primary key default true check (singleton),
    position      bigint not null,          -- the last position that was removed
    digest        bytea not null,           -- its link's digest
    pruned_before timestamptz not null      -- no event is older
);
insert into audit_checkpoint (position, digest, pruned_before) values (0, decode(repeat('00', 32), 'hex'), '-infinity');

-- Sealed events by the hour, so that an overview reads thousands of rows instead of millions. An absent name is ''. Reasons
-- are kept for refusals.
create table audit_counts (
    hour     timestamptz not null,
    action   text not null,
    outcome  text not null,
    provider text not null,
    reason   text not null,
    count    bigint not null,
    primary key (hour, action, outcome, provider, reason)
) with (fillfactor = 70);
