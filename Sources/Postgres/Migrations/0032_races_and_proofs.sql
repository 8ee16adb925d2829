-- What races, other spellings and old assumptions left open: locks that are taken before what hangs on them is read, and
-- proofs that are looked at where they count. Signatures stay: a server of the version before calls the same functions.

-- Whether an account has proved a mailbox or number: codes for it go nowhere else.
create function receives(p_account uuid, p_medium text, p_address text) returns boolean language plpgsql stable as $$
begin
    if p_medium = 'email' then
        return exists (select from account_emails where account_id = p_account and address_key = lower(p_address collate "C")
                                                    and proved_at is not null and not is_relay);
    end if;
    return exists (select from account_phones where account_id = p_account and phone_key = p_address and proved_at is not null);
end $$;

-- As in 0016. The address that is shown for a user name without a mailbox is made up: its flow is nobody's, as is that of
-- a name whose mailbox was taken away between the question where the code goes and this statement.
create or replace function begin_code_flow(
    p_flow uuid, p_client text, p_name_kind text, p_key text, p_state jsonb, p_code_digest bytea, p_resend_seconds integer,
    p_message outgoing_message, p_no_account outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    p_action text, p_address text, p_request text,
    out outcome text, out wait double precision, out known boolean)
language plpgsql as $$
declare
    found_account uuid;
begin
    select a.id into found_account from accounts a
     where a.id = account_by_name(p_name_kind, p_key) and a.status = 'active'
       and (p_message.id is null or receives(a.id, p_message.medium, p_message.address));
    known := found_account is not null;
    wait := send_message(case when known then p_message else p_no_account end, p_buckets, p_bursts, p_periods, found_account);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    insert into flows (id, kind, client_id, account_id, state, code_digest, resend_after, expires_at)
    values (p_flow, 'sign_in', p_client, found_account, p_state, case when known then p_code_digest end,
            now() + make_interval(secs => p_resend_seconds), now() + interval '10 minutes');
    insert into audit_events (action, outcome, reason, account_id, client_id, address, request_id, detail)
    values (p_action, 'done', case when not known then 'no_account' end, found_account, p_client, p_address, p_request,
            jsonb_build_object('flow', p_flow));
    outcome := 'opened';
end $$;

-- As in 0009, and no more than the claim is lost: a password stays where a user name, or an address or number that was
-- proved, carries it, and only an account that nothing opens is closed. Ways in that can't be used today count.
create or replace function clear_unproved_claims(p_address_key text, p_winner uuid, p_client text, p_request text) returns integer
language plpgsql as $$
declare
    claim record;
    cleared integer := 0;
begin
    delete from flows where address_key = p_address_key;
    for claim in
        delete from account_emails
         where address_key = p_address_key and proved_at is null and account_id <> p_winner
        returning account_id
    loop
        cleared := cleared + 1;
        -- The account before its sessions, as everywhere; and no sign-in to it is under way any more.
        perform 1 from accounts where id = claim.account_id for update;
        if not has_way_in(claim.account_id, array['password']) then
            delete from passwords where account_id = claim.account_id;
        end if;
        delete from flows where account_id = claim.account_id;
        perform end_account_sessions(claim.account_id, 'address_claim_lost', null);
        insert into audit_events (action, outcome, reason, account_id, client_id, request_id, detail)
        values ('address_claim_cleared', 'done', 'proved_by_another_account', claim.account_id, p_client, p_request,
                jsonb_build_object('winner', p_winner));
        if not exists (select from identities i where i.account_id = claim.account_id)
           and not has_way_in(claim.account_id, array['password', 'passkey', 'email_otp', 'sms_otp'])
        then
            perform close_account_without_way_in(claim.account_id, 'address_claim_lost', p_request);
        end if;
    end loop;
    return cleared;
end $$;

-- As in 0016, and the account's row comes before the password's, as in a sign-in: neither waits for the other for ever.
create or replace function replace_password(p_account uuid, p_hash text, p_reason text, p_except uuid, p_flow uuid, p_client text, p_address text, p_request text)
returns void language plpgsql as $$
begin
    update accounts set password_state = 'usable', changed_at = now() where id = p_account;
    insert into passwords (account_id, hash) values (p_account, p_hash)
    on conflict (account_id) do update set hash = excluded.hash, set_at = now(), set_through = null;
    delete from flows where account_id = p_account and id is distinct from p_flow;
    delete from remembered_devices where account_id = p_account;
    perform end_account_sessions(p_account, p_reason, p_except);
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('password_set', 'done', p_reason, p_account, p_except, p_client, p_address, p_request);
    perform notify_account(p_account, 'password_changed', jsonb_build_object('reason', p_reason));
end $$;

-- As in 0014. Whoever replaces or takes back a password waits for this sign-in, and then ends its session; or this one
-- waits, and finds the password gone.
create or replace function finish_password_sign_in(
    p_account uuid, p_hash text, p_new_hash text, p_buckets bytea[], p_periods bigint[], p_link_flow uuid, p session_request, p_gate jsonb,
    out outcome text, out display_name text, out email text, out email_proved boolean, out account_created timestamptz)
language plpgsql as $$
begin
    -- A statement of its own: the next one sees what was committed while this one waited.
    perform 1 from accounts where id = p_account for share;
    select a.display_name, a.created_at, e.address, e.proved_at is not null into display_name, account_created, email, email_proved
      from accounts a
      join passwords w on w.account_id = a.id and w.hash = p_hash
      left join account_emails e on e.account_id = a.id and e.is_main
     where a.id = p_account and a.status = 'active' and a.password_state <> 'reset_required';
    if not found then
        outcome := 'changed';
        return;
    end if;
    if p_new_hash is not null then
        update passwords set hash = p_new_hash where account_id = p_account and hash = p_hash;
    end if;
    perform give_back_to_throttles(p_buckets, p_periods);
    outcome := reach_session(p, p_account, null, 'signed_in', 'password', null, p_link_flow, p_gate);
end $$;

-- As in 0026. Whoever waits for an account may find that its identity has moved to another one meanwhile.
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
    loop   -- until the account is held that the identity belongs to
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
        exit when exists (select from identities i where i.id = sign_in.identity_id and i.account_id = sign_in.account_id);
    end loop;
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

-- As in 0014, and what decides is read once the account is held.
create or replace function sign_in_linking(
    p_account uuid, p_identity uuid, p_facts identity_facts, p_address_key text, p_asking_session uuid, p_rule text, p_explain jsonb,
    p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea, p session_request, p_gate jsonb,
    out outcome text, out spent_position integer, out display_name text, out email text, out email_proved boolean,
    out account_created timestamptz)
language plpgsql as $$
begin
    perform lock_identity(p_facts.provider, p_facts.realm, p_facts.subject);
    if exists (select from identities i
                where i.provider = p_facts.provider and i.realm = p_facts.realm and i.subject = p_facts.subject)
    then
        outcome := 'facts_changed';
        return;
    end if;
    -- A statement of its own: what ended a session or took a proof back is seen by the next one.
    perform 1 from accounts where id = p_account for share;
    if p_asking_session is null then
        outcome := 'facts_changed';
        select a.display_name, a.created_at, e.address, true into display_name, account_created, email, email_proved
          from accounts a
          join account_emails e on e.account_id = a.id and e.address_key = p_address_key and e.proved_at is not null
         where a.id = p_account and a.status = 'active';
    else
        outcome := 'session_ended';
        select a.display_name, a.created_at, e.address, e.proved_at is not null
          into display_name, account_created, email, email_proved
          from accounts a
          join sessions s on s.account_id = a.id and s.id = p_asking_session and s.ended_at is null and s.expires_at > now()
          left join account_emails e on e.account_id = a.id and e.is_main
         where a.id = p_account and a.status = 'active';
    end if;
    if not found then
        return;
    end if;
    spent_position := spend(p_spent, p_spent_until);
    if spent_position > 0 then
        outcome := 'spent';
        return;
    end if;
    perform add_identity(p_identity, p_account, p_facts, p_rule);
    if p_token_sealed is not null then
        perform store_provider_token(p_identity, p_token_client, p_token_sealed);
    end if;
    perform notify_account(p_account, 'identity_linked', jsonb_build_object('provider', p_facts.provider));
    outcome := reach_session(p, p_account, p_identity, 'identity_linked', p_rule, p_explain, null, p_gate);
end $$;

-- Whether one of two accounts, of which the second may be none, is on its way out.
create function deletion_waits(p_one uuid, p_other uuid) returns boolean language sql stable as $$
    select exists (select from accounts where id in (p_one, p_other) and deletion_due_at is not null);
$$;

-- As in 0023, but not of an account on its way out: what is moved would go with it, or come back without its person.
create or replace function split_account(
    p_change uuid, p_account uuid, p_new uuid, p_items jsonb, p_providers text[], p_dry boolean, p_actor uuid, p_address text, p_request text,
    out outcome text, out report jsonb)
language plpgsql as $$
declare
    before jsonb;
    mains jsonb;
    ended integer;
begin
    perform from accounts where id = p_account and status = 'active' for update;
    if not found then
        outcome := 'not_found';
        return;
    end if;
    if deletion_waits(p_account, null) then
        outcome := 'deletion_waits';
        return;
    end if;
    before := account_outline(p_account);
    mains := account_mains(p_account);
    begin
        insert into accounts (id, display_name) select p_new, display_name from accounts where id = p_account;
        perform move_items(p_account, p_new, p_items);
        perform set_mains(p_account, mains);
        perform set_mains(p_new, mains);
        update accounts set mfa = exists (select from factors where account_id = p_new) where id = p_new;
        update accounts set mfa = mfa and (exists (select from factors where account_id = p_account) or exists (select from passkeys where account_id = p_account))
         where id = p_account;
        if not has_way_in(p_account, p_providers) or not has_way_in(p_new, p_providers) then
            raise exception 'last credential' using errcode = 'LG001';
        end if;
        ended := end_account_sessions(p_account, 'account_split', null);
        delete from flows where account_id = p_account;
        delete from remembered_devices where account_id = p_account;
        report := jsonb_build_object('moves', p_items, 'ends_sessions', ended, 'before', before,
                                     'after', jsonb_build_object('account', account_outline(p_account), 'new', account_outline(p_new)));
        if p_dry then
            raise exception 'only looking' using errcode = 'LG010';
        end if;
    exception
        when sqlstate 'LG010' then outcome := 'previewed'; return;
        when sqlstate 'LG011' then outcome := 'accounts_changed'; return;
        when sqlstate 'LG001' then outcome := 'last_credential'; return;
    end;
    insert into account_changes (id, kind, account_id, other_id, actor_id, state, after)
    values (p_change, 'split', p_account, p_new, p_actor,
            jsonb_build_object('items', p_items, 'mains', mains, 'mfa', (before->>'mfa')::boolean, 'password_state', before->>'password_state'),
            report->'after');
    insert into audit_events (action, outcome, account_id, address, request_id, detail)
    values ('account_split', 'done', p_account, p_address, p_request, jsonb_build_object('change', p_change, 'new', p_new, 'before', before, 'after', report->'after')),
           ('account_created', 'done', p_new, p_address, p_request, jsonb_build_object('change', p_change, 'split_from', p_account));
    perform notify_account(p_account, 'account_split', '{}');
    perform notify_account(p_new, 'account_split', '{}');
    outcome := 'split';
end $$;

-- As in 0023, with the same exception.
create or replace function undo_change(p_change uuid, p_providers text[], p_address text, p_request text, out outcome text, out parts text[])
language plpgsql as $$
declare
    change account_changes;
    before jsonb;
begin
    select * into change from account_changes where id = p_change for update;
    if not found then
        outcome := 'not_found';
        return;
    end if;
    if change.undone_at is not null or change.undo_until <= now() then
        outcome := 'undo_over';
        return;
    end if;
    perform from accounts where id in (change.account_id, change.other_id) order by id for update;
    if deletion_waits(change.account_id, change.other_id) then
        outcome := 'deletion_waits';
        return;
    end if;
    before := jsonb_build_object('account', account_outline(change.account_id), 'other', account_outline(change.other_id));
    parts := outline_differences(coalesce(change.after->'kept', change.after->'account', change.after->'to'), before->'account');
    if change.other_id is not null then
        parts := parts || outline_differences(coalesce(change.after->'absorbed', change.after->'new', change.after->'from'), before->'other');
    end if;
    if parts <> '{}' then
        outcome := 'undo_blocked';
        return;
    end if;
    case change.kind
        when 'merge' then perform undo_merge(change);
        when 'split' then perform undo_split(change);
        when 'move' then perform undo_move(change, p_providers);
        when 'link' then perform undo_link(change, p_providers);
        when 'unlink' then perform undo_unlink(change);
    end case;
    delete from flows where account_id in (change.account_id, change.other_id);
    update account_changes set undone_at = now(), state = '{}' where id = p_change;
    insert into audit_events (action, outcome, reason, account_id, address, request_id, detail)
    select 'change_undone', 'done', change.kind, id, p_address, p_request,
           jsonb_build_object('change', p_change, 'before', before->part, 'after', account_outline(id))
      from (values (change.account_id, 'account'), (change.other_id, 'other')) as touched (id, part) where id is not null;
    outcome := 'undone';
exception
    when sqlstate 'LG001' then outcome := 'last_credential';
    when sqlstate 'LG011' then outcome := 'accounts_changed';
    when sqlstate 'LG012' then outcome := 'identity_in_use';
end $$;

-- As in 0016; an old session of a protected account needs the second factor as a new one does.
create or replace function change_password(
    p_account uuid, p_session uuid, p_old_hash text, p_new_hash text, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text := may_change_factors(p_account, p_session);
begin
    if refused is not null and (p_old_hash is null or refused <> 'reauth_required') then
        return refused;
    end if;
    -- What was typed stands in for a fresh proof of the password, never for the second factor.
    if refused = 'reauth_required'
       and exists (select from accounts a join sessions s on s.id = p_session
                    where a.id = p_account and a.mfa and s.acr <> '2')
    then
        return 'step_up_required';
    end if;
    if (select hash from passwords where account_id = p_account) is distinct from p_old_hash then
        return 'facts_changed';
    end if;
    perform replace_password(p_account, p_new_hash, 'changed', p_session, null, p_client, p_address, p_request);
    return 'changed';
end $$;

-- As in 0016; what raises a session is over with it. One outcome more: session_ended.
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

-- As in 0009, and no session links anything once what ended it was committed.
create or replace function link_identity(
    p_account uuid, p_session uuid, p_identity uuid, p_facts identity_facts, p_explain jsonb,
    p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea, p_client text, p_address text, p_request text,
    out outcome text, out spent_position integer, out identity_id uuid, out linked_at timestamptz)
language plpgsql as $$
declare
    owner uuid;
begin
    perform lock_identity(p_facts.provider, p_facts.realm, p_facts.subject);
    perform 1 from accounts where id = p_account for share;
    perform 1 from accounts a join sessions s on s.account_id = a.id
     where a.id = p_account and a.status = 'active' and s.id = p_session and s.ended_at is null and s.expires_at > now();
    if not found then
        outcome := 'session_ended';
        return;
    end if;
    spent_position := spend(p_spent, p_spent_until);
    if spent_position > 0 then
        outcome := 'spent';
        return;
    end if;
    identity_id := p_identity;
    linked_at := add_identity(p_identity, p_account, p_facts, 'linked_in_session');
    if linked_at is null then
        select i.account_id, i.id, i.linked_at into owner, identity_id, linked_at from identities i
         where i.provider = p_facts.provider and i.realm = p_facts.realm and i.subject = p_facts.subject;
        outcome := case when owner = p_account then 'already_linked' else 'identity_in_use' end;
        return;
    end if;
    if p_token_sealed is not null then
        perform store_provider_token(identity_id, p_token_client, p_token_sealed);
    end if;
    insert into audit_events (action, outcome, reason, account_id, identity_id, session_id, client_id, provider, address, request_id, detail)
    values ('identity_linked', 'done', 'linked_in_session', p_account, identity_id, p_session, p_client, p_facts.provider,
            p_address, p_request, p_explain);
    perform notify_account(p_account, 'identity_linked', jsonb_build_object('provider', p_facts.provider));
    outcome := 'linked';
end $$;

-- As in 0021. One outcome more: client_disabled; nothing was changed, and the token is good again when its client is.
create or replace function rotate_refresh_token(
    p_session uuid, p_generation integer, p_digest bytea, p_next_digest bytea, p_grace_seconds integer,
    p_address text, p_request text,
    p_renews boolean default false, p_claims jsonb default null, p_map jsonb default '{}', p_due_seconds integer default null,
    out outcome text, out account_id uuid, out client_id text, out provider text, out auth_time timestamptz, out amr text[], out acr text,
    out rotated_at timestamptz, out idle_expires_at timestamptz, out claims jsonb)
language plpgsql as $$
declare
    held record;
begin
    update sessions s
       set generation = s.generation + 1, previous_digest = s.refresh_digest, refresh_digest = p_next_digest, rotated_at = now(),
           idle_expires_at = least(s.expires_at, now() + make_interval(secs => s.idle_seconds)),
           claims = case when p_renews and p_claims is not null then session_claims(s.account_id, p_claims, p_map) else s.claims end,
           claims_due_at = case when p_renews then now() + make_interval(secs => p_due_seconds) else s.claims_due_at end
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

-- Takes a passkey away, unless it is the last usable way in: `p_providers` are those that can be used today. Outcomes:
-- removed, not_found, last_credential.
drop function remove_passkey(uuid, uuid, uuid, text, text, text);
create function remove_passkey(
    p_account uuid, p_passkey uuid, p_providers text[], p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    delete from passkeys where id = p_passkey and account_id = p_account;
    if not found then
        return 'not_found';
    end if;
    if not has_way_in(p_account, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    delete from flows where account_id = p_account;
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('factor_removed', 'done', 'passkey', p_account, p_session, p_client, p_address, p_request, jsonb_build_object('factor', p_passkey));
    perform notify_account(p_account, 'factor_removed', jsonb_build_object('kind', 'passkey'));
    return 'removed';
exception when sqlstate 'LG001' then
    return 'last_credential';   -- what was done above is undone
end $$;

-- As in 0016, with the ways in of today. Outcomes: as there, and last_credential.
create function remove_factor(
    p_account uuid, p_factor uuid, p_providers text[], p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text := may_change_factors(p_account, p_session);
    removed text;
begin
    if refused is not null then
        return refused;
    end if;
    select kind into removed from factors where id = p_factor and account_id = p_account;
    if not found then
        return remove_passkey(p_account, p_factor, p_providers, p_session, p_client, p_address, p_request);
    end if;
    if not exists (select from factors where account_id = p_account and id <> p_factor) then
        if exists (select from accounts where id = p_account and mfa_demanded) then
            return 'second_factor_demanded';
        end if;
        update accounts set mfa = false, changed_at = now() where id = p_account;
        delete from recovery_codes where account_id = p_account;
        delete from remembered_devices where account_id = p_account;
    end if;
    delete from factors where id = p_factor;
    delete from flows where account_id = p_account;
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('factor_removed', 'done', removed, p_account, p_session, p_client, p_address, p_request, jsonb_build_object('factor', p_factor));
    perform notify_account(p_account, 'factor_removed', jsonb_build_object('kind', removed));
    return 'removed';
end $$;

-- For a server of the version before, which doesn't say what can be used today: whatever there may be counts.
create or replace function remove_factor(p_account uuid, p_factor uuid, p_session uuid, p_client text, p_address text, p_request text)
returns text language sql as $$
    select remove_factor(p_account, p_factor,
                         array['password', 'email_otp', 'sms_otp', 'passkey'] || array(select provider from identities where account_id = p_account),
                         p_session, p_client, p_address, p_request);
$$;

-- As in 0020; an address that a provider told is the person's once they have proved it.
create or replace function confirm_address(
    p_flow uuid, p_revision integer, p_code_digest bytea, p_most_tries integer, p_kind text, p_text text, p_key text,
    p_account uuid, p_session uuid, p_client text, p_address text, p_request text,
    out outcome text, out tries_left integer, out wait double precision)
language plpgsql as $$
declare
    flow record;
    owner uuid;
begin
    outcome := may_change_factors(p_account, p_session);
    if outcome is not null then
        return;
    end if;
    perform pg_advisory_xact_lock(hashtextextended(p_key, 2));
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
        delete from account_phones where phone_key = p_key and proved_at is null and account_id <> p_account;
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

create index remembered_devices_expiry on remembered_devices (expires_at);
create index account_changes_undo on account_changes (undo_until);

-- As in 0013, and devices that are asked again.
create or replace function sweep_expired(p_limit integer) returns integer language plpgsql as $$
declare
    gone integer;
    total integer := 0;
begin
    delete from spent where ctid = any (array(select ctid from spent where expires_at < now() limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from flows where ctid = any (array(select ctid from flows where expires_at < now() limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from handover_codes where ctid = any (array(
        select ctid from handover_codes where expires_at < now() - interval '1 day' limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from throttles where ctid = any (array(select ctid from throttles where arrival < now() - interval '1 hour' limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    delete from remembered_devices where ctid = any (array(
        select ctid from remembered_devices where expires_at < now() limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    -- Ended families are kept for a month past their end of life, so that a late replay is still known for one.
    delete from sessions where ctid = any (array(select ctid from sessions where expires_at < now() - interval '30 days' limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    return total;
end $$;

-- As in 0026. Whoever waits for an account may find that its identity has moved to another one meanwhile.
create or replace function settle_token_check(
    p_identity uuid, p_client text, p_kind text, p_stored_at timestamptz, p_state text, p_retry_seconds double precision)
returns void language plpgsql as $$
declare
    who identities;
    ended integer;
begin
    loop   -- until the account is held that the identity belongs to
        select * into who from identities where id = p_identity;
        if not found then
            return;
        end if;
        perform 1 from accounts where id = who.account_id for update;
        exit when exists (select from identities where id = who.id and account_id = who.account_id);
    end loop;
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
