-- What becomes of an identity after its sign-in: tokens that are given back to the provider, what the provider tells
-- later, whether a stored token still holds, and the move of an app to another developer team.

-- Tokens on their way back to the provider. A row outlives its identity and its account; what is settled keeps no token.
create table provider_revocations (
    id            uuid primary key default gen_random_uuid(),
    provider      text collate "C" not null,
    client_id     text not null,                    -- the provider's client id that the token was issued to
    kind          text not null,
    sealed        bytea,
    identity_id   uuid not null,
    account_id    uuid not null,
    state         text not null default 'waiting' check (state in ('waiting', 'revoked', 'refused', 'given_up')),
    tries         integer not null default 0,       -- claims; the number of the newest one settles
    not_before    timestamptz not null default now(),
    claimed_until timestamptz,                      -- until then it is one server's alone
    last_error    text,
    queued_at     timestamptz not null default now(),
    settled_at    timestamptz,
    expires_at    timestamptz not null default now() + interval '30 days',
    check ((state = 'waiting') = (sealed is not null))
);
create index provider_revocations_due on provider_revocations (greatest(not_before, claimed_until)) where state = 'waiting';
create index provider_revocations_age on provider_revocations (queued_at);

-- Whoever deletes an identity, or the account with it, gives its tokens back: the row is still there to say whose they
-- were. An identity that moves to another account keeps them.
create function queue_provider_revocations() returns trigger language plpgsql as $$
begin
    with gone as (
        delete from provider_tokens where identity_id = old.id returning client_id, kind, sealed
    )
    insert into provider_revocations (provider, client_id, kind, sealed, identity_id, account_id)
    select old.provider, client_id, kind, sealed, old.id, old.account_id from gone;
    return old;
end $$;
create trigger identities_queue_revocations before delete on identities for each row execute function queue_provider_revocations();

-- Claims what is due, for one server; `p_providers` are those that it can reach.
create function claim_revocations(p_providers text[], p_limit integer, p_lease_seconds integer) returns setof provider_revocations
language sql as $$
    update provider_revocations r
       set tries = r.tries + 1, claimed_until = clock_timestamp() + make_interval(secs => p_lease_seconds)
     where r.id = any (array(
        select w.id from provider_revocations w
         where w.state = 'waiting' and w.provider = any (p_providers) and w.expires_at > now()
           and greatest(w.not_before, w.claimed_until) <= now()
         order by greatest(w.not_before, w.claimed_until) limit p_limit for update skip locked))
    returning r.*;
$$;

-- Ends a row for good, with its audit row.
create function end_revocation(p_id uuid, p_state text, p_error text) returns void language plpgsql as $$
declare
    ended record;
begin
    update provider_revocations
       set state = p_state, sealed = null, claimed_until = null, settled_at = now(), last_error = p_error
     where id = p_id and state = 'waiting'
    returning provider, identity_id, account_id, tries, queued_at into ended;
    if found then
        insert into audit_events (action, outcome, reason, account_id, identity_id, provider, detail)
        values ('provider_token_revoked', case p_state when 'revoked' then 'done' else 'refused' end,
                case p_state when 'revoked' then null else p_state end, ended.account_id, ended.identity_id, ended.provider,
                jsonb_strip_nulls(jsonb_build_object('tries', ended.tries, 'queued_at', ended.queued_at, 'error', p_error)));
    end if;
end $$;

-- Writes down what became of a claim: revoked, refused for good, or waiting, to be tried again after a time unless that
-- is too late. A claim that was lost meanwhile changes nothing, but what was revoked was revoked.
create function settle_revocation(p_id uuid, p_tries integer, p_state text, p_error text, p_retry_seconds double precision)
returns void language plpgsql as $$
declare
    retry_at timestamptz := now() + make_interval(secs => coalesce(p_retry_seconds, 0));
begin
    perform 1 from provider_revocations
      where id = p_id and state = 'waiting' and (tries = p_tries or p_state = 'revoked') for update;
    if not found then
        return;
    end if;
    if p_state = 'waiting' then
        update provider_revocations set not_before = retry_at, claimed_until = null, last_error = p_error
         where id = p_id and retry_at < expires_at;
        if found then
            return;
        end if;
        p_state := 'given_up';
    end if;
    perform end_revocation(p_id, p_state, p_error);
end $$;

-- What providers have told, by the id that they gave it: nothing takes effect twice. Kept for longer than anything so
-- old is still believed.
create table provider_notifications (
    provider    text collate "C" not null,
    id          text collate "C" not null,
    received_at timestamptz not null default now(),
    primary key (provider, id)
);
create index provider_notifications_age on provider_notifications (received_at);

-- The newest event of each kind that took effect.
create table identity_events (
    identity_id uuid not null references identities on delete cascade,
    kind        text not null check (kind in ('email', 'consent_revoked', 'account_deleted')),
    event_at    timestamptz not null,
    primary key (identity_id, kind)
);

alter table identities
    add column revoked_at timestamptz,                          -- the person took back their consent; null again once they sign in
    add column transfer_subject text collate "C",               -- who this is to the team that the app moves to
    add column transfer_realm text collate "C",                 -- that team
    add constraint identities_transfer check ((transfer_subject is null) = (transfer_realm is null));
create unique index identities_transfer_subject on identities (provider, transfer_subject) where transfer_subject is not null;

-- Whether somebody has come in by an identity since a moment; also spares every deletion of one a walk over all sessions.
create index sessions_identity on sessions (identity_id, created_at) where identity_id is not null;

-- Since when the person lets no mail through this relay address. No delivery clears it: only the provider's word does.
alter table account_emails add column forwarding_off_since timestamptz;

-- As in 0015; what the person has switched off stays so.
create or replace function note_delivery(p_medium text, p_address text, p_arrives boolean, p_as_of timestamptz) returns void language plpgsql as $$
declare
    key text := lower(p_address collate "C");   -- as accounts know addresses; a number has one spelling
begin
    perform pg_advisory_xact_lock(hashtextextended(key, 3));
    if not p_arrives and exists (select from outbox o where o.medium = p_medium and lower(o.address collate "C") = key
                                                        and o.state = 'sent' and o.sent_at > p_as_of) then
        return;
    end if;
    if p_medium = 'email' then
        update account_emails set undeliverable_since = case when not p_arrives then now() end
         where address_key = key and (undeliverable_since is null) <> p_arrives and forwarding_off_since is null;
    else
        update account_phones set undeliverable_since = case when not p_arrives then now() end
         where phone_key = key and (undeliverable_since is null) <> p_arrives;
    end if;
end $$;

-- Whether whoever has an address lets no mail through.
create function is_forwarding_off(p_address text) returns boolean language sql stable as $$
    select exists (select from account_emails where address_key = lower(p_address collate "C") and forwarding_off_since is not null);
$$;

-- As notify_account, for what a provider told: its relay addresses may be dead by now.
create function notify_account_directly(p_account uuid, p_kind text, p_detail jsonb) returns void language plpgsql as $$
begin
    insert into outbox (id, medium, address, kind, account_id, detail, expires_at)
    select gen_random_uuid(), 'email', e.address, 'notice.' || p_kind, e.account_id, p_detail, now() + interval '1 day'
      from account_emails e where e.account_id = p_account and e.proved_at is not null and not e.is_relay;
    if found then
        perform pg_notify('gateway_outbox', 'email');
    end if;
end $$;

-- Nothing that the provider gave for an identity holds any more: what began with it ends, and its tokens are forgotten,
-- not given back. The identity stays a way in, since the person can consent again. Answers how many sessions ended.
create function revoke_identity(p_account uuid, p_identity uuid, p_reason text, p_at timestamptz) returns integer language plpgsql as $$
declare
    ended integer;
begin
    update sessions set ended_at = now(), end_reason = p_reason
     where account_id = p_account and identity_id = p_identity and ended_at is null;
    get diagnostics ended = row_count;
    delete from flows where account_id = p_account and state->>'identity' = p_identity::text;
    delete from provider_tokens where identity_id = p_identity;
    update identities set revoked_at = p_at where id = p_identity;
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    return ended;
end $$;

-- Closes an account that nobody could open any more; `p_providers` are the ways in that can be used today. False where
-- there is one.
create function close_account_without_way_in(p_account uuid, p_providers text[], p_reason text, p_request text) returns boolean
language plpgsql as $$
begin
    if has_way_in(p_account, p_providers) then
        return false;
    end if;
    return set_account_status(p_account, 'closed', p_reason, p_request);
end $$;

-- Whether mail gets through an identity's relay address; a new address takes the place of the old one.
create function apply_email_event(p_identity identities, p_is_on boolean, p_email text, p_at timestamptz) returns void language plpgsql as $$
declare
    old_key text := case when p_identity.email_is_relay then lower(p_identity.email collate "C") end;
    new_key text := lower(coalesce(p_email, case when p_identity.email_is_relay then p_identity.email end) collate "C");
begin
    if p_is_on and old_key is not null and new_key <> old_key then
        update account_emails set address = p_email, address_key = new_key
         where account_id = p_identity.account_id and is_relay and address_key = old_key
           and not exists (select from account_emails where account_id = p_identity.account_id and address_key = new_key);
        update identities set email = p_email where id = p_identity.id;
    end if;
    update account_emails
       set forwarding_off_since = case when not p_is_on then p_at end, undeliverable_since = case when not p_is_on then p_at end
     where is_relay and address_key in (old_key, new_key);
end $$;

-- One event of a notification. Answers applied, stale, unknown_subject or unknown_type.
create function apply_provider_event(
    p_provider text, p_realm text, p_kind text, p_subject text, p_at timestamptz, p_email text, p_ways_in text[], p_address text, p_request text)
returns text language plpgsql as $$
declare
    who identities;
    ended integer;
begin
    if p_kind not in ('email_disabled', 'email_enabled', 'consent_revoked', 'account_deleted') then
        return 'unknown_type';
    end if;
    loop   -- until the account is held that the identity belongs to
        select * into who from identities where provider = p_provider and realm = p_realm and subject = p_subject;
        if not found then
            return 'unknown_subject';
        end if;
        perform 1 from accounts where id = who.account_id for update;   -- waits for sign-ins that are under way
        exit when exists (select from identities where id = who.id and account_id = who.account_id);
    end loop;
    if p_kind = 'consent_revoked'
       and p_at < greatest(who.linked_at, (select max(created_at) from sessions where identity_id = who.id)) then
        return 'stale';
    end if;
    insert into identity_events as e (identity_id, kind, event_at)
    values (who.id, case when p_kind like 'email%' then 'email' else p_kind end, p_at)
    on conflict (identity_id, kind) do update set event_at = excluded.event_at where e.event_at <= excluded.event_at;
    if not found then
        return 'stale';
    end if;
    if p_kind like 'email%' then
        perform apply_email_event(who, p_kind = 'email_enabled', p_email, p_at);
    else
        ended := revoke_identity(who.account_id, who.id, 'provider_' || p_kind, p_at);
    end if;
    insert into audit_events (action, outcome, account_id, identity_id, provider, address, request_id, detail)
    values ('provider_' || p_kind, 'done', who.account_id, who.id, p_provider, p_address, p_request,
            jsonb_strip_nulls(jsonb_build_object('event_at', p_at, 'sessions', ended)));
    if p_kind = 'consent_revoked' then
        perform notify_account_directly(who.account_id, 'provider_consent_revoked', jsonb_build_object('provider', p_provider));
    elsif p_kind = 'account_deleted' then
        if who.email_is_relay then
            perform apply_email_event(who, false, null, p_at);
        end if;
        delete from identities where id = who.id;
        delete from flows where account_id = who.account_id;
        insert into audit_events (action, outcome, reason, account_id, identity_id, provider, address, request_id)
        values ('identity_unlinked', 'done', 'provider_account_deleted', who.account_id, who.id, p_provider, p_address, p_request);
        perform notify_account_directly(who.account_id, 'provider_account_deleted', jsonb_build_object('provider', p_provider));
        perform close_account_without_way_in(who.account_id, p_ways_in, 'provider_account_deleted', p_request);
    end if;
    return 'applied';
end $$;

-- Everything that one notification tells, or nothing where it was told before. Answers what became of each event, in an
-- order of its own: accounts are always held in the same one.
create function apply_provider_notification(
    p_provider text, p_realm text, p_id text, p_events jsonb, p_ways_in text[], p_address text, p_request text)
returns text[] language plpgsql as $$
declare
    event record;
    outcomes text[] := '{}';
begin
    insert into provider_notifications (provider, id) values (p_provider, p_id) on conflict do nothing;
    if not found then
        return array['repeated'];
    end if;
    for event in
        select * from jsonb_to_recordset(p_events) as e (kind text, subject text, at double precision, email text)
         order by e.subject collate "C", e.at
    loop
        outcomes := outcomes || apply_provider_event(p_provider, p_realm, event.kind, event.subject, to_timestamp(event.at), event.email,
                                                     p_ways_in, p_address, p_request);
    end loop;
    return outcomes;
end $$;

-- Stored tokens are checked once a day at most, each at a time of its own.
alter table provider_tokens
    add column checked_at timestamptz,
    add column check_due_at timestamptz not null default now() + interval '1 day';
update provider_tokens set check_due_at = now() + random() * interval '1 day';
create index provider_tokens_check on provider_tokens (check_due_at);

-- Takes what is due, for one server. The next time is set before the provider is asked: whatever happens to the server,
-- no token is checked twice on one day. Each provider can speak for the tokens of one realm only: those of a team that an
-- app has left look dead to the new one.
create function take_token_checks(p_providers text[], p_realms text[], p_limit integer)
returns table (identity_id uuid, provider text, client_id text, kind text, sealed bytea, stored_at timestamptz)
language sql as $$
    with due as (
        select t.identity_id, t.client_id, t.kind, i.provider, i.realm
          from provider_tokens t join identities i on i.id = t.identity_id
         where t.check_due_at <= now() and i.provider = any (p_providers)
         order by t.check_due_at limit p_limit for update of t skip locked
    ), taken as (
        update provider_tokens t set check_due_at = now() + interval '1 day' + random() * interval '2 hours'
          from due where t.identity_id = due.identity_id and t.client_id = due.client_id and t.kind = due.kind
        returning t.identity_id, due.provider, due.realm, t.client_id, t.kind, t.sealed, t.stored_at
    )
    select t.identity_id, t.provider, t.client_id, t.kind, t.sealed, t.stored_at
      from taken t join unnest(p_providers, p_realms) able (provider, realm) on able.provider = t.provider and able.realm = t.realm;
$$;

-- What a check came to: good; dead, which is what a revoked consent is; doubtful, to be looked at again the next day; or
-- unknown, after `p_retry_seconds`. A token that was replaced meanwhile is another one.
create function settle_token_check(
    p_identity uuid, p_client text, p_kind text, p_stored_at timestamptz, p_state text, p_retry_seconds double precision)
returns void language plpgsql as $$
declare
    who identities;
    ended integer;
begin
    select * into who from identities where id = p_identity;
    perform 1 from accounts where id = who.account_id for update;
    perform 1 from provider_tokens
      where identity_id = p_identity and client_id = p_client and kind = p_kind and stored_at = p_stored_at for update;
    if not found then
        return;
    end if;
    if p_state = 'unknown' then
        update provider_tokens set check_due_at = now() + make_interval(secs => p_retry_seconds)
         where identity_id = p_identity and client_id = p_client and kind = p_kind;
        return;
    end if;
    update provider_tokens set checked_at = now() where identity_id = p_identity and client_id = p_client and kind = p_kind;
    if p_state = 'dead' then
        ended := revoke_identity(who.account_id, who.id, 'provider_token_dead', now());
        perform notify_account_directly(who.account_id, 'provider_consent_revoked', jsonb_build_object('provider', who.provider));
        insert into audit_events (action, outcome, account_id, identity_id, provider, detail)
        values ('provider_token_dead', 'done', who.account_id, who.id, who.provider, jsonb_build_object('sessions', ended));
    elsif p_state = 'doubtful' then
        insert into audit_events (action, outcome, account_id, identity_id, provider)
        values ('provider_token_doubtful', 'done', who.account_id, who.id, who.provider);
    end if;
end $$;

-- Ends revocations that came too late and deletes what is of no use any more, a bounded piece at a time.
create function sweep_provider_records(p_limit integer) returns integer language plpgsql as $$
declare
    late uuid;
    gone integer;
    total integer := 0;
begin
    for late in
        select id from provider_revocations
         where state = 'waiting' and expires_at < now() and (claimed_until is null or claimed_until < now())
         limit p_limit for update skip locked
    loop
        perform end_revocation(late, 'given_up', (select last_error from provider_revocations where id = late));
        total := total + 1;
    end loop;
    delete from provider_revocations where ctid = any (array(
        select ctid from provider_revocations where queued_at < now() - interval '60 days' and state <> 'waiting'
         limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from provider_notifications where ctid = any (array(
        select ctid from provider_notifications where received_at < now() - interval '60 days' limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    return total;
end $$;

-- Makes an identity of one team one of another. Its tokens were the old team's and are worth nothing to the new one: they
-- are forgotten. Of the old subject a digest stays in the audit log.
create function rewrite_identity(p_who identities, p_realm text, p_subject text, p_email text, p_reason text, p_address text, p_request text)
returns void language plpgsql as $$
begin
    delete from provider_tokens where identity_id = p_who.id;
    update identities set realm = p_realm, subject = p_subject where id = p_who.id;
    if p_email is not null then
        perform apply_email_event(p_who, true, p_email, now());
    end if;
    insert into audit_events (action, outcome, reason, account_id, identity_id, provider, address, request_id, detail)
    values ('identity_transferred', 'done', p_reason, p_who.account_id, p_who.id, p_who.provider, p_address, p_request,
            jsonb_build_object('from', p_who.realm, 'to', p_realm,
                               'old_subject_sha256', encode(sha256(convert_to(p_who.subject, 'UTF8')), 'hex')));
end $$;

-- Somebody whom nobody knows shows a transfer subject, verified: who has it becomes who they are now. `p_email` is a new
-- relay address. Outcomes: adopted, unknown, conflict.
create function adopt_transferred_identity(
    p_provider text, p_old_realm text, p_transfer_subject text, p_realm text, p_subject text, p_email text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    who identities;
begin
    perform lock_identity(p_provider, p_realm, p_subject);
    loop   -- until the account is held that the identity belongs to
        select * into who from identities where provider = p_provider and transfer_subject = p_transfer_subject;
        if not found then
            return 'unknown';
        end if;
        perform 1 from accounts where id = who.account_id for update;
        exit when exists (select from identities where id = who.id and account_id = who.account_id and realm = who.realm);
    end loop;
    if who.realm = p_realm and who.subject = p_subject then
        return 'adopted';   -- by a sign-in at the same moment
    end if;
    if who.realm <> p_old_realm or who.transfer_realm <> p_realm
       or exists (select from identities where provider = p_provider and realm = p_realm and subject = p_subject) then
        insert into audit_events (action, outcome, reason, account_id, identity_id, provider, address, request_id)
        values ('identity_transferred', 'refused', 'account_conflict', who.account_id, who.id, p_provider, p_address, p_request);
        return 'conflict';
    end if;
    perform rewrite_identity(who, p_realm, p_subject, p_email, 'signed_in', p_address, p_request);
    return 'adopted';
end $$;

-- One line of an import: what the provider said of a transfer subject. Outcomes: moved, done (before), gone, conflict.
create function import_transferred_identity(
    p_identity uuid, p_provider text, p_transfer_subject text, p_realm text, p_subject text, p_email text, p_request text)
returns text language plpgsql as $$
declare
    who identities;
begin
    perform lock_identity(p_provider, p_realm, p_subject);
    loop   -- until the account is held that the identity belongs to
        select * into who from identities where id = p_identity and provider = p_provider;
        if not found then
            return 'gone';
        end if;
        perform 1 from accounts where id = who.account_id for update;
        exit when exists (select from identities where id = who.id and account_id = who.account_id and realm = who.realm);
    end loop;
    if who.realm = p_realm then
        return case when who.subject = p_subject then 'done' else 'conflict' end;
    end if;
    if who.transfer_subject is distinct from p_transfer_subject
       or exists (select from identities where provider = p_provider and realm = p_realm and subject = p_subject) then
        insert into audit_events (action, outcome, reason, account_id, identity_id, provider, request_id)
        values ('identity_transferred', 'refused', 'account_conflict', who.account_id, who.id, p_provider, p_request);
        return 'conflict';
    end if;
    perform rewrite_identity(who, p_realm, p_subject, p_email, 'imported', null, p_request);
    return 'moved';
end $$;

-- As in 0014; whoever comes in by an identity has consented again.
create or replace function sign_in(
    p_provider text, p_realm text, p_subject text, p_address_key text,
    p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea, p_link_flow uuid, p session_request, p_gate jsonb,
    out outcome text, out spent_position integer, out account_id uuid, out identity_id uuid, out display_name text,
    out email text, out email_proved boolean, out account_created timestamptz, out holders jsonb)
language plpgsql as $$
declare
    account_status text;
    was_revoked boolean;
begin
    select i.account_id, i.id, a.status, a.display_name, a.created_at, e.address, e.proved_at is not null,
           i.revoked_at is not null
      into account_id, identity_id, account_status, display_name, account_created, email, email_proved, was_revoked
      from identities i
      join accounts a on a.id = i.account_id
      left join account_emails e on e.account_id = a.id and e.is_main
     where i.provider = p_provider and i.realm = p_realm and i.subject = p_subject
       for key share of a;   -- with the lock that disabling takes, no session outlives it
    if not found then
        outcome := 'unknown_identity';
        select jsonb_agg(jsonb_build_object('account', h.account_id, 'proved', h.proved_at is not null, 'status', ha.status))
          into holders
          from (select * from account_emails c where c.address_key = p_address_key and not c.is_relay
                 order by c.proved_at nulls last limit 20) h
          join accounts ha on ha.id = h.account_id;
        return;
    end if;
    if account_status <> 'active' then
        outcome := 'account_disabled';
        return;
    end if;
    spent_position := spend(p_spent, p_spent_until);
    if spent_position > 0 then
        outcome := 'spent';
        return;
    end if;
    if p_token_sealed is not null then
        perform store_provider_token(identity_id, p_token_client, p_token_sealed);
    end if;
    if was_revoked then
        update identities i set revoked_at = null where i.id = sign_in.identity_id;
    end if;
    outcome := reach_session(p, account_id, identity_id, 'signed_in', 'known_identity', null, p_link_flow, p_gate);
end $$;
