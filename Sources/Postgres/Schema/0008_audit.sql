-- The audit log by months, and a chain of digests over its rows.

-- What happened, to which account, and why: written in the transaction of the change. Ids are unique in each partition, since
-- a key of the parent would need the time too. The actor and the words come from the transaction's settings.
create sequence audit_events_id_seq;
create table audit_events (
    id          bigint not null default nextval('audit_events_id_seq'),
    at          timestamptz not null default clock_timestamp(),
    action      text not null,
    outcome     text not null check (outcome in ('done', 'refused')),
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
) partition by range (at);
alter sequence audit_events_id_seq owned by audit_events.id;
create index audit_events_at on audit_events (at, id);
create index audit_events_account on audit_events (account_id, id) where account_id is not null;
create index audit_events_request on audit_events using hash (request_id);
create index audit_events_action on audit_events (action, at);
create index audit_events_actor on audit_events (actor_id, at) where actor_id is not null;
-- For the person, newest first, without refreshes, which are most of the log.
create index audit_events_shown on audit_events (account_id, id) where account_id is not null and outcome = 'done' and action <> 'refreshed';
-- Rows that no month takes: those of a wrong clock, and of a time without a partition.
create table audit_events_default partition of audit_events (primary key (id)) default;

-- One row per event in the order of sealing. docs/audit.md describes the digests.
create table audit_chain (
    position   bigint primary key,
    event_id   bigint not null unique,
    at         timestamptz not null,                                    -- the event's time
    key_id     text not null,                                           -- the master key behind both digests
    row_digest bytea not null check (octet_length(row_digest) = 32),    -- of the event
    digest     bytea not null check (octet_length(digest) = 32)         -- of this row and the digest before it
);

-- Where the chain begins after pruning. One row.
create table audit_checkpoint (
    singleton     boolean primary key default true check (singleton),
    position      bigint not null,          -- the last position that was removed
    digest        bytea not null,           -- its digest
    event_id      bigint not null,          -- the greatest event id that was sealed up to there
    pruned_before timestamptz not null      -- no event is older
);
insert into audit_checkpoint (position, digest, event_id, pruned_before) values (0, decode(repeat('00', 32), 'hex'), 0, '-infinity');

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
