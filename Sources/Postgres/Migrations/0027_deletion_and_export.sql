-- An account's end: asked for, taken back while it waits, and carried out. And what a person is shown of the own account.

-- From when until when the deletion of an account waits; null where none does. The columns may be there already.
alter table accounts
    add column if not exists deletion_requested_at timestamptz,
    add column if not exists deletion_due_at timestamptz;
create index accounts_deletion on accounts (deletion_due_at) where deletion_due_at is not null;

-- Sessions that are over too, by whose they are, and what hangs on them: else every deletion would read the whole tables.
create index sessions_owner on sessions (account_id);
create index if not exists sessions_identity on sessions (identity_id) where identity_id is not null;
create index handover_codes_session on handover_codes (session_id);

-- What a person is shown of the audit log, newest first, without the refreshes, which are most of it.
create index audit_events_shown on audit_events (account_id, id) where account_id is not null and outcome = 'done' and action <> 'refreshed';

-- Deletes an account with all that hangs on it, and tells its proved addresses, which are kept with that message alone.
-- Every server forgets its sessions. What stays is the audit log, which names the account by its id. Outcomes: erased,
-- not_found, operator_account.
create function erase_account(p_account uuid, p_actor uuid, p_reason text, p_request text) returns text language plpgsql as $$
declare
    joined uuid;
begin
    perform 1 from accounts where id = p_account for update;   -- waits for sign-ins that are under way
    if not found then
        return 'not_found';
    end if;
    if exists (select from operators where account_id = p_account) then
        return 'operator_account';
    end if;
    -- What was joined to it is the same person's.
    for joined in select id from accounts where merged_into = p_account loop
        perform erase_account(joined, p_actor, p_reason, p_request);
    end loop;
    -- Messages before addresses: whoever settles one takes them in this order.
    delete from outbox where account_id = p_account;
    delete from outbox o using account_emails e
     where e.account_id = p_account and e.proved_at is not null and o.medium = 'email' and lower(o.address collate "C") = e.address_key;
    delete from outbox o using account_phones p
     where p.account_id = p_account and p.proved_at is not null and o.medium = 'sms' and lower(o.address collate "C") = p.phone_key;
    insert into outbox (id, medium, address, kind, detail, expires_at)
    select gen_random_uuid(), 'email', e.address, 'notice.account_deleted', '{}', now() + interval '1 day'
      from account_emails e where e.account_id = p_account and e.proved_at is not null;
    perform pg_notify('gateway_outbox', 'email');
    delete from notices where account_id = p_account;
    -- Flows that others began about an address of the account tell of its person too.
    delete from flows where account_id = p_account;
    delete from flows f using account_emails e
     where e.account_id = p_account and e.proved_at is not null and f.address_key = e.address_key;
    delete from flows f using account_phones p
     where p.account_id = p_account and p.proved_at is not null and f.address_key = p.phone_key;
    delete from sessions where account_id = p_account;
    -- Before the account, and with their tokens: what is to be revoked at a provider is taken up as an identity goes.
    delete from identities where account_id = p_account;
    delete from accounts where id = p_account;
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    insert into audit_events (action, outcome, reason, account_id, actor_id, request_id)
    values ('account_deleted', 'done', p_reason, p_account, p_actor, p_request);
    return 'erased';
end $$;

-- Lets an account be deleted after so many days, or at once for 0. Its sessions end; whoever signs in meanwhile can take it
-- back. A deletion that waits already stays as it is. Outcomes: requested, waiting, erased, not_found, operator_account.
create function begin_deletion(
    p_account uuid, p_actor uuid, p_days integer, p_reason text, p_session uuid, p_client text, p_address text, p_request text,
    out outcome text, out requested_at timestamptz, out due_at timestamptz)
language plpgsql as $$
begin
    select a.deletion_requested_at, a.deletion_due_at into requested_at, due_at from accounts a where a.id = p_account for update;
    if not found then
        outcome := 'not_found';
        return;
    end if;
    if exists (select from operators where account_id = p_account) then
        outcome := 'operator_account';
        return;
    end if;
    if due_at is not null and p_days > 0 then
        outcome := 'waiting';
        return;
    end if;
    requested_at := now();
    due_at := now() + make_interval(days => p_days);
    insert into audit_events (action, outcome, reason, account_id, actor_id, session_id, client_id, address, request_id, detail)
    values ('deletion_requested', 'done', p_reason, p_account, p_actor, p_session, p_client, p_address, p_request,
            jsonb_build_object('days', p_days));
    if p_days = 0 then
        outcome := erase_account(p_account, p_actor, p_reason, p_request);
        return;
    end if;
    update accounts set deletion_requested_at = requested_at, deletion_due_at = due_at, changed_at = now() where id = p_account;
    perform end_account_sessions(p_account, 'deletion_requested', null);
    delete from flows where account_id = p_account;
    perform notify_account(p_account, 'deletion_requested',
                           jsonb_build_object('due', to_char(due_at at time zone 'UTC', 'YYYY-MM-DD')));
    outcome := 'requested';
end $$;

-- The same by the person: the session must be one that may change how the account is opened. Further outcomes: those of
-- may_change_factors.
create function request_deletion(
    p_account uuid, p_session uuid, p_days integer, p_client text, p_address text, p_request text,
    out outcome text, out requested_at timestamptz, out due_at timestamptz)
language plpgsql as $$
begin
    outcome := may_change_factors(p_account, p_session);
    if outcome is null then
        select d.* into outcome, requested_at, due_at
          from begin_deletion(p_account, null, p_days, null, p_session, p_client, p_address, p_request) d;
    end if;
end $$;

-- Takes a deletion back that waits. A session, where one asks, must be live: it began after the deletion was asked for.
-- Outcomes: cancelled, not_found, session_ended.
create function cancel_deletion(
    p_account uuid, p_actor uuid, p_reason text, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    perform 1 from accounts where id = p_account and deletion_due_at is not null for no key update;
    if not found then
        return 'not_found';
    end if;
    if p_session is not null
       and not exists (select from sessions s join accounts a on a.id = s.account_id and a.status = 'active'
                        where s.id = p_session and s.account_id = p_account and s.ended_at is null and s.expires_at > now())
    then
        return 'session_ended';
    end if;
    update accounts set deletion_requested_at = null, deletion_due_at = null, changed_at = now() where id = p_account;
    insert into audit_events (action, outcome, reason, account_id, actor_id, session_id, client_id, address, request_id)
    values ('deletion_cancelled', 'done', p_reason, p_account, p_actor, p_session, p_client, p_address, p_request);
    perform notify_account(p_account, 'deletion_cancelled', '{}');
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    return 'cancelled';
end $$;

-- Erases the accounts whose time has come, a bounded piece at a time, never waiting for one that somebody else holds. An
-- operator's account waits until its role is taken away; one that something still holds on to stands in nobody's way and is
-- tried again in an hour.
create function sweep_deletions(p_limit integer, p_request text) returns integer language plpgsql as $$
declare
    due uuid;
    erased integer := 0;
begin
    for due in
        select a.id from accounts a
         where a.deletion_due_at <= now() and not exists (select from operators o where o.account_id = a.id)
         order by a.deletion_due_at limit p_limit for update skip locked
    loop
        begin
            if erase_account(due, null, 'deletion_due', p_request) = 'erased' then
                erased := erased + 1;
            end if;
        exception when integrity_constraint_violation or raise_exception then
            update accounts set deletion_due_at = now() + interval '1 hour' where id = due;
            insert into audit_events (action, outcome, reason, account_id, request_id)
            values ('account_deleted', 'refused', 'sqlstate_' || sqlstate, due, p_request);
        end;
    end loop;
    return erased;
end $$;

-- Nobody can sign in to the account any more, such as when the provider of its only identity says that the person is gone:
-- it is closed, and deleted after two weeks, in which an operator can still look after whoever turns up.
create or replace function close_account_without_way_in(p_account uuid, p_reason text, p_request text) returns void language plpgsql as $$
begin
    perform 1 from accounts where id = p_account and status <> 'closed' for update;
    if not found then
        return;
    end if;
    update accounts
       set status = 'closed', changed_at = now(), deletion_requested_at = coalesce(deletion_requested_at, now()),
           deletion_due_at = least(deletion_due_at, now() + interval '14 days')
     where id = p_account;
    perform end_account_sessions(p_account, 'account_closed', null);
    delete from flows where account_id = p_account;
    insert into audit_events (action, outcome, reason, account_id, request_id)
    values ('account_closed', 'done', p_reason, p_account, p_request);
end $$;

-- Takes the place of the function of 0024: what it closes is deleted in time.
create or replace function close_account_without_way_in(p_account uuid, p_providers text[], p_reason text, p_request text)
returns boolean language plpgsql as $$
begin
    if has_way_in(p_account, p_providers) then
        return false;
    end if;
    perform close_account_without_way_in(p_account, p_reason, p_request);
    return true;
end $$;

-- Writes down that all that is held of a person is handed out. By the person: the session must be one that may change how the
-- account is opened, five times an hour, and the addresses are told. Outcomes: granted, wait, not_found, and those of
-- may_change_factors.
create function begin_export(
    p_account uuid, p_actor uuid, p_reason text, p_session uuid, p_client text, p_address text, p_request text,
    out outcome text, out wait double precision)
language plpgsql as $$
begin
    if p_session is not null then
        outcome := may_change_factors(p_account, p_session);
        if outcome is not null then
            return;
        end if;
        wait := take_from_throttles(array[substr(sha256(('export ' || p_account)::bytea), 1, 16)], array[5::bigint], array[720000::bigint]);
        if wait > 0 then
            outcome := 'wait';
            return;
        end if;
        perform notify_account(p_account, 'account_exported', '{}');
    elsif not exists (select from accounts where id = p_account) then
        outcome := 'not_found';
        return;
    end if;
    insert into audit_events (action, outcome, reason, account_id, actor_id, session_id, client_id, address, request_id)
    values ('account_exported', 'done', p_reason, p_account, p_actor, p_session, p_client, p_address, p_request);
    outcome := 'granted';
end $$;

-- A time as the API writes it.
create function api_time(p_time timestamptz) returns text language sql stable as $$
    select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
$$;

-- As in 0023, and neither may be on its way out: what is moved would go with it, or come back without its person.
create or replace function lock_accounts(p_one uuid, p_other uuid) returns text language plpgsql as $$
declare
    found_ integer;
    active integer;
    leaving integer;
begin
    select count(*), count(*) filter (where status = 'active'), count(*) filter (where deletion_due_at is not null)
      into found_, active, leaving
      from (select status, deletion_due_at from accounts where id in (p_one, p_other) order by id for update) a;
    return case when found_ < 2 then 'not_found' when active < 2 then 'account_disabled' when leaving > 0 then 'deletion_waits' end;
end $$;

-- What an operator sees of an account that waits for its deletion, beside account_dossier.
create function account_leaving(p_account uuid) returns jsonb language sql stable as $$
    select jsonb_build_object('deletion', case when deletion_due_at is not null then
               jsonb_build_object('requested_at', utc(deletion_requested_at), 'due_at', utc(deletion_due_at)) end)
      from accounts where id = p_account;
$$;
