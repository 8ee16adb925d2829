-- Many sessions ended in pages; accounts held before what hangs on them, and addresses before accounts, where another
-- order was left; and claims that were asked for before a change don't outlast it. Signatures stay: a server of the
-- version before calls the same functions.

-- Ends the sessions of one page that began before a moment, of one client or of all: those of the next `p_limit` ids
-- after `p_after` (null: from the first). Answers the page's last id, null where none is left, and how many it ended,
-- which an audit row tells. Every server forgets all that it believes about sessions. The function of 0010, which does it
-- in one piece, stays for command lines of the version before.
create function revoke_sessions_batch(
    p_before timestamptz, p_client text, p_reason text, p_request text, p_after uuid, p_limit integer,
    out next uuid, out ended integer)
language plpgsql as $$
declare
    behind uuid := coalesce(p_after, '00000000-0000-0000-0000-000000000000');
begin
    ended := 0;
    -- The page first, and its sessions by its ends then: both are walks along the key, whatever is known of the table.
    select page.id into next
      from (select s.id from sessions s where s.id > behind order by s.id limit p_limit) page
     order by page.id desc limit 1;
    if next is null then
        return;
    end if;
    update sessions s set ended_at = now(), end_reason = 'revoked_by_operator'
     where s.id > behind and s.id <= next and s.created_at < p_before and s.ended_at is null
       and (p_client is null or s.client_id = p_client);
    get diagnostics ended = row_count;
    if ended > 0 then
        insert into audit_events (action, outcome, reason, client_id, request_id, detail)
        values ('sessions_revoked', 'done', p_reason, p_client, p_request,
                jsonb_build_object('issued_before', p_before, 'sessions', ended));
        perform pg_notify('gateway_sessions', 'all');
    end if;
end $$;

-- As in 0010, and it waits for sign-ins that are under way, or they for it.
create or replace function sign_out_everywhere(p_account uuid, p_session uuid, p_client text, p_address text, p_request text) returns integer
language plpgsql as $$
declare
    ended integer;
begin
    -- A statement of its own: the next one sees the session that a step-up under way puts in the place of another.
    perform 1 from accounts where id = p_account for update;
    ended := end_account_sessions(p_account, 'signed_out_everywhere', null);
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('session_ended', 'done', 'signed_out_everywhere', p_account, p_session, p_client, p_address, p_request,
            jsonb_build_object('sessions', ended));
    return ended;
end $$;

-- Whether a session may still act for its account. Whoever asks holds the account: what ended the session was committed
-- and is seen, or waits.
create function session_lives(p_account uuid, p_session uuid) returns boolean language sql stable as $$
    select exists (select from accounts a join sessions s on s.account_id = a.id
                    where a.id = p_account and a.status = 'active' and s.id = p_session and s.ended_at is null
                      and s.expires_at > now());
$$;

-- As in 0020. One outcome more: session_ended.
create or replace function unlink_identity(p_account uuid, p_identity uuid, p_session uuid, p_providers text[], p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    gone record;
begin
    perform 1 from accounts where id = p_account for update;
    if not session_lives(p_account, p_session) then
        return 'session_ended';
    end if;
    select * into gone from identities where id = p_identity and account_id = p_account;
    if not found then
        return 'not_found';
    end if;
    update sessions set ended_at = now(), end_reason = 'identity_unlinked'
     where account_id = p_account and identity_id = p_identity and ended_at is null and id <> p_session;
    delete from identities where id = p_identity;
    if not has_way_in(p_account, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    delete from flows where account_id = p_account;
    insert into audit_events (action, outcome, account_id, identity_id, session_id, client_id, provider, address, request_id)
    values ('identity_unlinked', 'done', p_account, p_identity, p_session, p_client, gone.provider, p_address, p_request);
    perform notify_account(p_account, 'identity_unlinked', jsonb_build_object('provider', gone.provider));
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    return 'unlinked';
exception when sqlstate 'LG001' then
    return 'last_credential';   -- what was done above is undone
end $$;

-- As in 0016, and an ended session changes nothing.
create or replace function change_factor(p_account uuid, p_factor uuid, p_name text, p_preferred boolean, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for no key update;
    if not session_lives(p_account, p_session) then
        return 'session_ended';
    end if;
    if not exists (select from factors where id = p_factor and account_id = p_account union all
                   select from passkeys where id = p_factor and account_id = p_account)
    then
        return 'not_found';
    end if;
    if p_preferred is not null then
        update factors set is_preferred = false where account_id = p_account and is_preferred;
        update passkeys set is_preferred = false where account_id = p_account and is_preferred;
    end if;
    update factors set name = coalesce(p_name, name), is_preferred = coalesce(p_preferred, is_preferred) where id = p_factor;
    update passkeys set name = coalesce(p_name, name), is_preferred = coalesce(p_preferred, is_preferred) where id = p_factor;
    insert into audit_events (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('factor_changed', 'done', p_account, p_session, p_client, p_address, p_request, jsonb_build_object('factor', p_factor));
    return 'changed';
end $$;

-- As in 0016, and an ended session changes nothing: whoever calls looks whether it lives.
create or replace function change_profile(p_account uuid, p_change jsonb, p_session uuid, p_client text, p_address text, p_request text)
returns void language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for no key update;
    if not session_lives(p_account, p_session) then
        return;
    end if;
    update accounts
       set display_name = case when p_change ? 'display_name' then p_change->>'display_name' else display_name end,
           first_factor = case when p_change ? 'first_factor' then p_change->>'first_factor' else first_factor end,
           attributes = jsonb_strip_nulls(attributes || coalesce(p_change->'attributes', '{}')), changed_at = now()
     where id = p_account and status = 'active';
    insert into audit_events (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('profile_changed', 'done', p_account, p_session, p_client, p_address, p_request,
            jsonb_build_object('changed', (select jsonb_agg(name) from jsonb_object_keys(p_change) name)));
    perform pg_notify('gateway_sessions', 'account:' || p_account);
end $$;

-- As in 0016. One outcome more: session_ended.
create or replace function forget_device(p_account uuid, p_device uuid, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for no key update;
    if not session_lives(p_account, p_session) then
        return 'session_ended';
    end if;
    delete from remembered_devices where id = p_device and account_id = p_account;
    if not found then
        return 'not_found';
    end if;
    insert into audit_events (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('device_forgotten', 'done', p_account, p_session, p_client, p_address, p_request, jsonb_build_object('device', p_device));
    return 'forgotten';
end $$;

-- As in 0032, and the account comes before its flow, as in all that changes how an account is opened and then takes its
-- flows away; a flow's account stays what it is. It is held as strongly as the answer comes to need it: two who first
-- shared it and then changed it would wait for each other. Shared, it keeps out those who change a password or a factor,
-- whose rows an answer touches behind its flow.
create or replace function answer_sign_in_flow(
    p_flow uuid, p_revision integer, p_right boolean, p_code_digest bytea, p_most_tries integer, p_effects jsonb,
    p_state jsonb, p_next_code bytea, p_resend_seconds integer,
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    p_proofs jsonb, p_makes_session boolean, p session_request,
    out outcome text, out tries_left integer, out wait double precision,
    out display_name text, out email text, out email_proved boolean, out account_created timestamptz)
language plpgsql as $$
declare
    flow record;
    effect jsonb;
begin
    if exists (select from jsonb_array_elements(p_effects) e where e->>'kind' in ('password', 'add_factor')) then
        perform 1 from accounts where id = (select f.account_id from flows f where f.id = p_flow) for no key update;
    else
        perform 1 from accounts where id = (select f.account_id from flows f where f.id = p_flow) for share;
    end if;
    select j.* into flow from judge_flow_answer(p_flow, 'sign_in', p.client_id, p_revision, p_right, p_code_digest, p_most_tries) j;
    outcome := flow.outcome;
    tries_left := flow.tries_left;
    wait := flow.wait;
    if outcome is not null then
        return;
    end if;
    select a.display_name, a.created_at, e.address, e.proved_at is not null into display_name, account_created, email, email_proved
      from accounts a left join account_emails e on e.account_id = a.id and e.is_main
     where a.id = flow.account_id and a.status = 'active' for key share of a;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    if flow.state->>'session' is not null then
        -- Held to the end: it is this one that ends it, and nobody before.
        perform 1 from sessions s
          where s.id = (flow.state->>'session')::uuid and s.account_id = flow.account_id and s.ended_at is null
            and s.expires_at > now() for update;
        if not found then
            delete from flows f where f.id = p_flow;
            outcome := 'session_ended';
            return;
        end if;
    end if;
    if p_buckets <> '{}' then
        wait := take_from_throttles(p_buckets, p_bursts, p_periods);
        if wait > 0 then
            outcome := 'wait';
            return;
        end if;
    end if;
    for effect in select jsonb_array_elements(p_effects) loop
        outcome := apply_flow_effect(flow.account_id, effect, p_flow, case when p_makes_session then p.id end, p.client_id, p.address, p.request_id);
        if outcome = 'code_wrong' then
            select f.outcome, f.tries_left into outcome, tries_left from fail_flow_answer(p_flow, p_most_tries) f;
        end if;
        if outcome is not null then
            return;
        end if;
    end loop;
    perform give_back_to_throttles(flow.bucket, array[180000::bigint]);
    if not p_makes_session then
        p_message.account_id := flow.account_id;
        perform enqueue(p_message);
        update flows f
           set state = p_state, revision = f.revision + 1, code_digest = p_next_code, tries = 0, expires_at = flow_end(f.created_at),
               resend_after = now() + make_interval(secs => p_resend_seconds)
         where f.id = p_flow;
        outcome := 'next_step';
        return;
    end if;
    if flow.state->>'link_flow' is not null then
        outcome := apply_link_flow((flow.state->>'link_flow')::uuid, flow.account_id, p.client_id, p.id, p.request_id);
        if outcome is not null then
            return;
        end if;
    end if;
    delete from flows f where f.id = p_flow;
    if flow.state->>'session' is not null then
        perform end_session(flow.account_id, (flow.state->>'session')::uuid, 'stepped_up', p.client_id, p.address, p.request_id);
    end if;
    perform make_session(p, flow.account_id, (flow.state->>'identity')::uuid, 'signed_in', 'steps_done', null, p_proofs);
    outcome := 'signed_in';
end $$;

-- Makes another address or number the main one of an account that lost it, as remove_address does.
create function elect_mains(p_account uuid) returns void language plpgsql as $$
begin
    update account_emails set is_main = true
     where (account_id, address_key) = (select account_id, address_key from account_emails where account_id = p_account
                                         order by proved_at is null, is_relay, added_at limit 1)
       and not exists (select from account_emails where account_id = p_account and is_main);
    update account_phones set is_main = true
     where (account_id, phone_key) = (select account_id, phone_key from account_phones where account_id = p_account
                                       order by proved_at is null, added_at limit 1)
       and not exists (select from account_phones where account_id = p_account and is_main);
end $$;

-- As in 0032, one account after the other in the order of their ids; who lost the main address has another one for it.
create or replace function clear_unproved_claims(p_address_key text, p_winner uuid, p_client text, p_request text) returns integer
language plpgsql as $$
declare
    claimant uuid;
    cleared integer := 0;
begin
    delete from flows where address_key = p_address_key;
    for claimant in
        select account_id from account_emails
         where address_key = p_address_key and proved_at is null and account_id <> p_winner order by account_id
    loop
        -- The account before all that hangs on it, as everywhere; and no sign-in to it is under way any more.
        perform 1 from accounts where id = claimant for update;
        delete from account_emails where account_id = claimant and address_key = p_address_key and proved_at is null;
        continue when not found;
        cleared := cleared + 1;
        perform elect_mains(claimant);
        if not has_way_in(claimant, array['password']) then
            delete from passwords where account_id = claimant;
        end if;
        delete from flows where account_id = claimant;
        perform end_account_sessions(claimant, 'address_claim_lost', null);
        insert into audit_events (action, outcome, reason, account_id, client_id, request_id, detail)
        values ('address_claim_cleared', 'done', 'proved_by_another_account', claimant, p_client, p_request,
                jsonb_build_object('winner', p_winner));
        if not exists (select from identities i where i.account_id = claimant)
           and not has_way_in(claimant, array['password', 'passkey', 'email_otp', 'sms_otp'])
        then
            perform close_account_without_way_in(claimant, 'address_claim_lost', p_request);
        end if;
    end loop;
    return cleared;
end $$;

-- The same for a number. An unproved one opens nothing, so nothing ends with it. Answers how many lost it.
create function clear_unproved_numbers(p_key text, p_winner uuid, p_client text, p_request text) returns integer
language plpgsql as $$
declare
    claimant uuid;
    cleared integer := 0;
begin
    delete from flows where address_key = p_key;
    for claimant in
        select account_id from account_phones
         where phone_key = p_key and proved_at is null and account_id <> p_winner order by account_id
    loop
        perform 1 from accounts where id = claimant for no key update;
        delete from account_phones where account_id = claimant and phone_key = p_key and proved_at is null;
        continue when not found;
        cleared := cleared + 1;
        perform elect_mains(claimant);
        insert into audit_events (action, outcome, reason, account_id, client_id, request_id, detail)
        values ('address_claim_cleared', 'done', 'proved_by_another_account', claimant, p_client, p_request,
                jsonb_build_object('winner', p_winner, 'kind', 'phone'));
        perform pg_notify('gateway_sessions', 'account:' || claimant);
    end loop;
    return cleared;
end $$;

-- As in 0014, and the log tells who loses a number to this account.
create or replace function add_signed_up_account(p_account uuid, p_state jsonb, p_proved_key text, p_client text, p_request text) returns text
language plpgsql as $$
declare
    email text := coalesce(p_state->>'email', p_state->>'address');
    email_key text := coalesce(p_state->>'email_key', case when p_state ? 'address' then p_proved_key end);
begin
    insert into accounts (id, display_name, user_name, user_name_key, attributes)
    values (p_account, p_state->>'display_name', p_state->>'user_name', p_state->>'user_name_key', coalesce(p_state->'attributes', '{}'))
    on conflict (user_name_key) do nothing;
    if not found then
        return 'user_name_taken';
    end if;
    if email is not null then
        if email_key = p_proved_key then
            perform clear_unproved_claims(email_key, p_account, p_client, p_request);
        end if;
        insert into account_emails (account_id, address_key, address, source, proved_at)
        values (p_account, email_key, email, 'person', case when email_key = p_proved_key then now() end);
    end if;
    if p_state->>'phone' is not null then
        if p_state->>'phone' = p_proved_key then
            perform clear_unproved_numbers(p_proved_key, p_account, p_client, p_request);
        end if;
        insert into account_phones (account_id, phone_key, source, proved_at)
        values (p_account, p_state->>'phone', 'person', case when p_state->>'phone' = p_proved_key then now() end);
    end if;
    if p_state->>'password_hash' is not null then
        insert into passwords (account_id, hash) values (p_account, p_state->>'password_hash');
    end if;
    return null;
end $$;

-- As in 0032, and the address or number comes before any account, as in a sign-in and a sign-up; then the account, and
-- those that may lose the address to it, in one order: of two that prove each other's neither waits for ever.
create or replace function confirm_address(
    p_flow uuid, p_revision integer, p_code_digest bytea, p_most_tries integer, p_kind text, p_text text, p_key text,
    p_account uuid, p_session uuid, p_client text, p_address text, p_request text,
    out outcome text, out tries_left integer, out wait double precision)
language plpgsql as $$
declare
    flow record;
    owner uuid;
begin
    perform pg_advisory_xact_lock(hashtextextended(p_key, 2));
    perform 1 from accounts
      where id in (select p_account
                   union all select account_id from account_emails where address_key = p_key and proved_at is null
                   union all select account_id from account_phones where phone_key = p_key and proved_at is null)
      order by id for update;
    outcome := may_change_factors(p_account, p_session);
    if outcome is not null then
        return;
    end if;
    select j.* into flow from judge_flow_answer(p_flow, 'address', p_client, p_revision, null, p_code_digest, p_most_tries) j;
    outcome := case when flow.outcome is null and flow.account_id <> p_account then 'flow_expired' else flow.outcome end;
    tries_left := flow.tries_left;
    wait := flow.wait;
    if outcome is not null then
        return;
    end if;
    owner := account_by_name(p_kind, p_key);
    if owner is not null and owner <> p_account then
        outcome := 'address_in_use';
        return;
    end if;
    if p_kind = 'email' then
        perform clear_unproved_claims(p_key, p_account, p_client, p_request);
        insert into account_emails (account_id, address_key, address, source, proved_at, is_main)
        values (p_account, p_key, p_text, 'person', now(), not exists (select from account_emails where account_id = p_account and is_main))
        on conflict (account_id, address_key) do update
           set proved_at = now(), address = excluded.address, source = excluded.source, is_relay = false, undeliverable_since = null;
    else
        perform clear_unproved_numbers(p_key, p_account, p_client, p_request);
        insert into account_phones (account_id, phone_key, source, proved_at, is_main)
        values (p_account, p_key, 'person', now(), not exists (select from account_phones where account_id = p_account and is_main))
        on conflict (account_id, phone_key) do update set proved_at = now(), source = excluded.source, undeliverable_since = null;
    end if;
    delete from flows where id = p_flow;
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('address_added', 'done', p_kind, p_account, p_session, p_client, p_address, p_request);
    perform notify_account(p_account, 'address_added', jsonb_build_object('kind', p_kind));
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    outcome := 'added';
end $$;

-- When the claims of an app were changed last: whoever was asking for them then has old ones.
alter table clients add column claims_changed_at timestamptz;

-- As in 0021, and it waits for claims that are being written down: it finds those sessions, and makes them due.
create or replace function client_claims_changed() returns trigger language plpgsql as $$
declare
    app text := coalesce(new.client_id, old.client_id);
begin
    perform pg_advisory_xact_lock(hashtextextended(app, 5));
    update clients set claims_changed_at = clock_timestamp() where id = app;
    update sessions set claims_due_at = now() where client_id = app and ended_at is null and expires_at > now();
    perform pg_notify('gateway_clients', '');
    perform pg_notify('gateway_sessions', 'all');
    return null;
end $$;

-- When claims that were just asked for are due again (null: never). Where the app's were changed meanwhile, or are being
-- changed, they may be those of before: an answer takes seconds, so in a minute they are asked for by what is set now.
-- The lock is only tried: nobody's sign-in waits for a change that many sessions hear of.
create function next_claims_due(p_session uuid, p_seconds integer) returns timestamptz language plpgsql as $$
declare
    app text;
    is_changing boolean;
begin
    select client_id into app from sessions where id = p_session;
    is_changing := not pg_try_advisory_xact_lock_shared(hashtextextended(app, 5));
    -- A statement of its own: it sees what was committed until the lock was had.
    if is_changing
       or exists (select from clients where id = app and claims_changed_at > now() - interval '1 minute')
    then
        return least(now() + make_interval(secs => p_seconds), now() + interval '1 minute');
    end if;
    return now() + make_interval(secs => p_seconds);
end $$;

-- As in 0021, and a change of the app's claims that came meanwhile is not forgotten.
create or replace function set_session_claims(p_session uuid, p_claims jsonb, p_map jsonb, p_due_seconds integer) returns setof jsonb
language plpgsql as $$
declare
    due timestamptz := next_claims_due(p_session, p_due_seconds);
begin
    return query
        update sessions s
           set claims = case when p_claims is null then s.claims else session_claims(s.account_id, p_claims, p_map) end,
               claims_due_at = due
         where s.id = p_session and s.ended_at is null and s.expires_at > now()
        returning coalesce(s.claims, '{}');
    if found then
        perform pg_notify('gateway_sessions', 'session:' || p_session);
    end if;
end $$;

-- As in 0032, and the same.
create or replace function rotate_refresh_token(
    p_session uuid, p_generation integer, p_digest bytea, p_next_digest bytea, p_grace_seconds integer,
    p_address text, p_request text,
    p_renews boolean default false, p_claims jsonb default null, p_map jsonb default '{}', p_due_seconds integer default null,
    out outcome text, out account_id uuid, out client_id text, out provider text, out auth_time timestamptz, out amr text[], out acr text,
    out rotated_at timestamptz, out idle_expires_at timestamptz, out claims jsonb)
language plpgsql as $$
declare
    held record;
    due timestamptz := case when p_renews then next_claims_due(p_session, p_due_seconds) end;
begin
    update sessions s
       set generation = s.generation + 1, previous_digest = s.refresh_digest, refresh_digest = p_next_digest, rotated_at = now(),
           idle_expires_at = least(s.expires_at, now() + make_interval(secs => s.idle_seconds)),
           claims = case when p_renews and p_claims is not null then session_claims(s.account_id, p_claims, p_map) else s.claims end,
           claims_due_at = case when p_renews then due else s.claims_due_at end
     where s.id = p_session and s.generation = p_generation and s.refresh_digest = p_digest
       and s.ended_at is null and s.idle_expires_at > now() and s.expires_at > now()
       and (p_renews or s.claims_due_at is null or s.claims_due_at > now())
       and exists (select from clients c where c.id = s.client_id and c.disabled_at is null)
    returning s.account_id, s.client_id, s.provider, s.auth_time, s.amr, s.acr, s.rotated_at, s.idle_expires_at, s.claims
      into account_id, client_id, provider, auth_time, amr, acr, rotated_at, idle_expires_at, claims;
    if found then
        insert into audit_events (action, outcome, account_id, session_id, client_id, provider, address, request_id)
        values ('refreshed', 'done', account_id, p_session, client_id, provider, p_address, p_request);
        if p_renews then
            perform pg_notify('gateway_sessions', 'session:' || p_session);
        end if;
        outcome := 'rotated';
        return;
    end if;
    select s.* into held from sessions s where s.id = p_session for update;
    if not found then
        outcome := 'unknown';
        return;
    end if;
    account_id := held.account_id;
    if held.ended_at is not null then
        outcome := 'ended';
    elsif exists (select from clients c where c.id = held.client_id and c.disabled_at is not null) then
        outcome := 'client_disabled';
    elsif held.generation = p_generation + 1 and held.previous_digest = p_digest
          and held.rotated_at > now() - make_interval(secs => p_grace_seconds)
          and held.refresh_digest = p_next_digest then
        outcome := 'repeated';
        client_id := held.client_id; provider := held.provider; auth_time := held.auth_time; amr := held.amr; acr := held.acr;
        rotated_at := held.rotated_at; idle_expires_at := held.idle_expires_at; claims := held.claims;
    elsif p_generation < held.generation then
        outcome := 'reused';
        update sessions set ended_at = now(), end_reason = 'refresh_reuse' where id = p_session;
        insert into audit_events (action, outcome, reason, account_id, session_id, client_id, provider, address, request_id, detail)
        values ('session_ended', 'done', 'refresh_reuse', held.account_id, p_session, held.client_id, held.provider, p_address, p_request,
                jsonb_build_object('presented', p_generation, 'current', held.generation));
        perform notify_account(held.account_id, 'refresh_reuse', jsonb_build_object('device', held.device_name));
        perform pg_notify('gateway_sessions', 'session:' || p_session);
    elsif p_generation = held.generation and p_digest = held.refresh_digest then
        outcome := case when held.idle_expires_at > now() and held.expires_at > now() then 'claims_due' else 'expired' end;
        client_id := held.client_id;
    else
        -- A generation from the future: the database was set back. Neither side may live on.
        outcome := 'reused';
        update sessions set ended_at = now(), end_reason = 'generation_ahead' where id = p_session;
        insert into audit_events (action, outcome, reason, account_id, session_id, client_id, provider, address, request_id)
        values ('session_ended', 'done', 'generation_ahead', held.account_id, p_session, held.client_id, held.provider, p_address, p_request);
        perform pg_notify('gateway_sessions', 'session:' || p_session);
    end if;
end $$;
