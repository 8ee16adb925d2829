-- What happened, to whom, why: written in the transaction of the change it tells of.
create table audit_events (
    id          bigint generated always as identity primary key,
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
    detail      jsonb
);
create index audit_events_account on audit_events (account_id, id) where account_id is not null;
create index audit_events_request on audit_events using hash (request_id);

-- Append only, also for a role that could do more.
create function audit_is_append_only() returns trigger language plpgsql as $$
begin
    raise exception 'audit_events is append only';
end $$;
create trigger audit_is_append_only before update or delete on audit_events
    for each statement execute function audit_is_append_only();

-- Notices to people about their account, sent after the commit that made them, never without it.
create table notices (
    id         bigint generated always as identity primary key,
    account_id uuid not null,
    address    text not null,
    kind       text not null,
    detail     jsonb not null default '{}',
    created_at timestamptz not null default now(),
    not_before timestamptz not null default now(),
    tries      smallint not null default 0
);
create index notices_due on notices (not_before);
