-- The steps of a sign-in: what is read before an answer is judged, and what is written when it was.

-- What the course of a sign-in is decided by: everything about the account that a step may need, in one read. In plpgsql,
-- which keeps its plan: in sql a call would plan it anew, which costs ten times what it does.
create function account_factors(p_account uuid) returns jsonb language plpgsql stable as $$
begin
    return (select jsonb_build_object(
        'status', a.status, 'mfa', a.mfa, 'demanded', a.mfa_demanded, 'password_state', a.password_state,
        'has_password', w.account_id is not null, 'password_set_through', w.set_through,
        'display_name', a.display_name, 'user_name', a.user_name,
        'emails', (select jsonb_agg(jsonb_build_object('address', e.address, 'key', e.address_key, 'main', e.is_main) order by e.is_main desc, e.added_at)
                     from account_emails e where e.account_id = a.id and e.proved_at is not null and not e.is_relay),
        'phones', (select jsonb_agg(p.phone_key order by p.is_main desc, p.added_at)
                     from account_phones p where p.account_id = a.id and p.proved_at is not null),
        'factors', (select jsonb_agg(jsonb_build_object('id', f.id, 'kind', f.kind, 'name', f.name, 'address', f.address, 'key', f.address_key,
                                                        'sealed', encode(f.sealed, 'base64'), 'counter', f.counter, 'preferred', f.is_preferred,
                                                        'added_at', extract(epoch from f.added_at), 'used_at', extract(epoch from f.used_at))
                                     order by f.added_at, f.id)
                      from factors f where f.account_id = a.id),
        'passkeys', (select jsonb_agg(jsonb_build_object('id', k.id, 'credential', encode(k.credential_id, 'base64'),
                                                         'public_key', encode(k.public_key, 'base64'), 'user_handle', encode(k.user_handle, 'base64'),
                                                         'counter', k.counter,
                                                         'transports', k.transports, 'backup_eligible', k.backup_eligible, 'backed_up', k.backed_up,
                                                         'name', k.name, 'preferred', k.is_preferred,
                                                         'added_at', extract(epoch from k.added_at), 'used_at', extract(epoch from k.used_at))
                                      order by k.added_at, k.id)
                       from passkeys k where k.account_id = a.id),
        'recovery_codes', (select count(*) from recovery_codes r where r.account_id = a.id and r.used_at is null),
        'remembered', (select jsonb_agg(encode(d.digest, 'hex')) from remembered_devices d where d.account_id = a.id and d.expires_at > now()))
      from accounts a left join passwords w on w.account_id = a.id where a.id = p_account);
end $$;

-- Where guesses at a flow are counted: at a first factor for the name, later ones for the account, by whatever name the flow began.
create function flow_guess_bucket(p_account uuid, p_state jsonb) returns bytea language sql immutable as $$
    select decode(case when p_account is null or coalesce(p_state->'proofs', '[]') = '[]' then p_state->>'guess_bucket'
                       else second_factor_bucket(p_account) end, 'hex');
$$;

-- How long a guess has to wait, in seconds, for whoever wants to know before it costs a hash or a call; taken is nothing.
create function flow_guess_wait(p_account uuid, p_state jsonb) returns double precision language sql stable as $$
    select greatest(extract(epoch from t.arrival - make_interval(secs => 180 * (20 - 1)) - now()), 0)
      from throttles t where t.bucket = flow_guess_bucket(p_account, p_state);
$$;

-- A flow that waits for its next answer, with what is known of its account (null: nobody's, an answer is never right).
create function load_flow(
    p_flow uuid, p_kind text, p_client text,
    out revision integer, out account_id uuid, out state jsonb, out seconds_left double precision, out resend_in double precision,
    out factors jsonb, out hash text, out subject text, out failures integer, out code_digest bytea, out guess_wait double precision)
language plpgsql stable as $$
#variable_conflict use_column
begin
    select f.revision, f.account_id, f.state, extract(epoch from f.expires_at - now()),
           greatest(extract(epoch from f.resend_after - now()), 0), account_factors(f.account_id), w.hash, i.subject,
           f.tries, f.code_digest, flow_guess_wait(f.account_id, f.state)
      into revision, account_id, state, seconds_left, resend_in, factors, hash, subject, failures, code_digest, guess_wait
      from flows f
      left join passwords w on w.account_id = f.account_id
      left join identities i on i.id = (f.state->>'identity')::uuid and i.account_id = f.account_id
     where f.id = p_flow and f.kind = p_kind and f.client_id = p_client and f.expires_at > now();
end $$;

-- Each step has ten minutes, all together an hour.
create function flow_end(p_begun timestamptz) returns timestamptz language sql stable as $$
    select least(now() + interval '10 minutes', p_begun + interval '1 hour');
$$;

-- Pays for a message and writes it, if there is one: an answer to nobody's name costs the same. Answers how long to
-- wait, in seconds; above 0 nothing was written.
create function send_message(p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[], p_account uuid)
returns double precision language plpgsql as $$
declare
    wait double precision;
begin
    if p_buckets = '{}' then
        return 0;
    end if;
    wait := take_from_throttles(p_buckets, p_bursts, p_periods);
    if wait <= 0 then
        p_message.account_id := p_account;
        perform enqueue(p_message);
    end if;
    return wait;
end $$;

-- Puts a step into a flow that needs no answer to the one before. Outcomes: opened, flow_expired (or somebody was
-- faster), wait.
create function open_flow_step(
    p_flow uuid, p_revision integer, p_state jsonb, p_code_digest bytea, p_resend_seconds integer,
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    out outcome text, out wait double precision)
language plpgsql as $$
declare
    flow record;
begin
    select f.* into flow from flows f where f.id = p_flow and f.revision = p_revision and f.expires_at > now() for update;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    wait := send_message(p_message, p_buckets, p_bursts, p_periods, flow.account_id);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    update flows f
       set state = p_state, revision = f.revision + 1, code_digest = p_code_digest, tries = 0, expires_at = flow_end(f.created_at),
           resend_after = now() + make_interval(secs => p_resend_seconds)
     where f.id = p_flow;
    outcome := 'opened';
end $$;

-- A flow that begins with a code for a name: for nobody's, the same row without a code. Outcomes: opened, wait.
create function begin_code_flow(
    p_flow uuid, p_client text, p_name_kind text, p_key text, p_state jsonb, p_code_digest bytea, p_resend_seconds integer,
    p_message outgoing_message, p_no_account outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    p_action text, p_address text, p_request text,
    out outcome text, out wait double precision, out known boolean)
language plpgsql as $$
declare
    found_account uuid;
begin
    select a.id into found_account from accounts a where a.id = account_by_name(p_name_kind, p_key) and a.status = 'active';
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

-- Another code for the step that waits. Outcomes: sent, flow_expired, resend_wait, too_many_resends, wait.
create function resend_flow_code(
    p_flow uuid, p_revision integer, p_code_digest bytea, p_resend_seconds integer, p_most_resends integer,
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[], p_address text, p_request text,
    out outcome text, out wait double precision)
language plpgsql as $$
declare
    flow record;
begin
    select f.* into flow from flows f where f.id = p_flow and f.revision = p_revision and f.expires_at > now() for update;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    if flow.resends >= p_most_resends then
        outcome := 'too_many_resends';
        return;
    end if;
    wait := extract(epoch from flow.resend_after - now());
    if wait > 0 then
        outcome := 'resend_wait';
        return;
    end if;
    wait := send_message(p_message, p_buckets, p_bursts, p_periods, flow.account_id);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    update flows f
       set code_digest = case when flow.account_id is not null then p_code_digest end, tries = 0, resends = f.resends + 1,
           resend_after = now() + make_interval(secs => p_resend_seconds)
     where f.id = p_flow;
    insert into audit_events (action, outcome, account_id, client_id, address, request_id, detail)
    values ('code_resent', 'done', flow.account_id, flow.client_id, p_address, p_request, jsonb_build_object('flow', p_flow));
    outcome := 'sent';
end $$;

-- Counts a wrong answer.
create function fail_flow_answer(p_flow uuid, p_most_tries integer, out outcome text, out tries_left integer) language plpgsql as $$
begin
    update flows f set tries = f.tries + 1 where f.id = p_flow returning p_most_tries - f.tries into tries_left;
    outcome := case when tries_left > 0 then 'code_wrong' else 'too_many_tries' end;
end $$;

-- Pays for one answer to a flow and, unless it was judged before (`p_right`), compares its code. Outcomes: null (right),
-- flow_expired, wait, too_many_tries, code_wrong. The flow's row is locked from here on. Once all of the answer holds, the
-- caller gives `bucket` back.
create function judge_flow_answer(
    p_flow uuid, p_kind text, p_client text, p_revision integer, p_right boolean, p_code_digest bytea, p_most_tries integer,
    out outcome text, out tries_left integer, out wait double precision, out account_id uuid, out state jsonb, out bucket bytea[])
language plpgsql as $$
declare
    flow record;
begin
    select f.* into flow from flows f
     where f.id = p_flow and f.kind = p_kind and f.client_id = p_client and f.expires_at > now() for update;
    if not found or flow.revision <> p_revision then
        outcome := 'flow_expired';
        return;
    end if;
    account_id := flow.account_id;
    state := flow.state;
    bucket := array[flow_guess_bucket(account_id, flow.state)];
    wait := take_from_throttles(bucket, array[20::bigint], array[180000::bigint]);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    if flow.tries >= p_most_tries then
        outcome := 'too_many_tries';
        return;
    end if;
    if not coalesce(p_right, flow.code_digest is not null and flow.code_digest = p_code_digest) or account_id is null then
        select f.outcome, f.tries_left into outcome, tries_left from fail_flow_answer(p_flow, p_most_tries) f;
    end if;
end $$;

-- A password that its owner has just chosen: what was open or remembered under the old one ends.
create function replace_password(p_account uuid, p_hash text, p_reason text, p_except uuid, p_flow uuid, p_client text, p_address text, p_request text)
returns void language plpgsql as $$
begin
    insert into passwords (account_id, hash) values (p_account, p_hash)
    on conflict (account_id) do update set hash = excluded.hash, set_at = now(), set_through = null;
    update accounts set password_state = 'usable', changed_at = now() where id = p_account;
    delete from flows where account_id = p_account and id is distinct from p_flow;
    delete from remembered_devices where account_id = p_account;
    perform end_account_sessions(p_account, p_reason, p_except);
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('password_set', 'done', p_reason, p_account, p_except, p_client, p_address, p_request);
    perform notify_account(p_account, 'password_changed', jsonb_build_object('reason', p_reason));
end $$;

-- A second factor that was just proved for the first time.
create function add_factor(p_account uuid, p_factor jsonb, p_codes jsonb, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    insert into factors (id, account_id, kind, name, address, address_key, sealed, counter, used_at)
    values ((p_factor->>'id')::uuid, p_account, p_factor->>'kind', p_factor->>'name', p_factor->>'address', p_factor->>'address_key',
            decode(p_factor->>'sealed', 'base64'), (p_factor->>'counter')::bigint, now())
    on conflict do nothing;
    if not found then
        return 'factor_exists';
    end if;
    update accounts set mfa = true, changed_at = now() where id = p_account;
    -- Codes from an earlier time go where new ones come.
    if p_codes is not null then
        delete from recovery_codes where account_id = p_account;
        insert into recovery_codes (account_id, digest) select p_account, decode(code, 'hex') from jsonb_array_elements_text(p_codes) code;
    end if;
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('factor_added', 'done', p_factor->>'kind', p_account, p_session, p_client, p_address, p_request,
            jsonb_build_object('factor', p_factor->>'id'));
    perform notify_account(p_account, 'factor_added', jsonb_build_object('kind', p_factor->>'kind'));
    return null;
end $$;

-- What a right answer changes besides the flow, in order; the first one that can't be done any more refuses the answer.
create function apply_flow_effect(p_account uuid, p_effect jsonb, p_flow uuid, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    case p_effect->>'kind'
    when 'totp_used' then
        update factors set counter = (p_effect->>'counter')::bigint, used_at = now()
         where id = (p_effect->>'factor')::uuid and account_id = p_account
           and (counter is null or counter < (p_effect->>'counter')::bigint);
        return case when not found then 'code_wrong' end;
    when 'factor_used' then
        update factors set used_at = now() where id = (p_effect->>'factor')::uuid and account_id = p_account;
        return case when not found then 'code_wrong' end;
    when 'recovery_code' then
        update recovery_codes set used_at = now()
         where account_id = p_account and used_at is null
           and digest in (select decode(d, 'hex') from jsonb_array_elements_text(p_effect->'digests') d);
        if not found then
            return 'code_wrong';
        end if;
        perform notify_account(p_account, 'recovery_code_used', '{}');
    when 'passkey_used' then
        update passkeys set counter = (p_effect->>'counter')::bigint, backed_up = (p_effect->>'backed_up')::boolean, used_at = now()
         where id = (p_effect->>'passkey')::uuid and account_id = p_account
           and (counter < (p_effect->>'counter')::bigint or (counter = 0 and (p_effect->>'counter')::bigint = 0));
        return case when not found then 'code_wrong' end;
    when 'password' then
        perform replace_password(p_account, p_effect->>'hash', p_effect->>'reason', null, p_flow, p_client, p_address, p_request);
        update passwords set set_through = p_effect->>'through' where account_id = p_account;
    when 'rehash' then
        update passwords set hash = p_effect->>'hash' where account_id = p_account and hash = p_effect->>'old';
    when 'add_passkey' then
        return add_passkey(p_account, p_effect->'passkey', p_session, p_client, p_address, p_request);
    when 'add_factor' then
        return add_factor(p_account, p_effect->'factor', nullif(p_effect->'recovery_codes', 'null'), p_session, p_client, p_address, p_request);
    when 'remember_device' then
        insert into remembered_devices (id, account_id, digest, name, expires_at)
        values ((p_effect->>'id')::uuid, p_account, decode(p_effect->>'digest', 'hex'), p_effect->>'name',
                now() + make_interval(secs => (p_effect->>'seconds')::integer))
        on conflict (account_id, digest) do update set expires_at = excluded.expires_at, used_at = now();
    end case;
    return null;
end $$;

-- The answer to a step. What was right is done; then the next step is put in, or the session made. Outcomes: those of
-- judge_flow_answer, next_step, signed_in, what apply_link_flow refused with, factor_exists.
create function answer_sign_in_flow(
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

-- Whether a session may change how its account is opened: live, proved a short while ago, and with a second factor where
-- the account has one. Answers null, or why not. The account is locked against other such changes.
create function may_change_factors(p_account uuid, p_session uuid) returns text language plpgsql as $$
declare
    account record;
    session record;
begin
    select * into account from accounts where id = p_account and status = 'active' for no key update;
    if not found then
        return 'session_ended';
    end if;
    select * into session from sessions where id = p_session and account_id = p_account and ended_at is null and expires_at > now();
    if not found then
        return 'session_ended';
    end if;
    if session.auth_time < now() - interval '10 minutes' then
        return 'reauth_required';
    end if;
    if account.mfa and session.acr <> '2' then
        return 'step_up_required';
    end if;
    return null;
end $$;

-- A flow by which a signed-in person adds a factor. Outcomes: opened, wait, and those of may_change_factors.
create function begin_factor_flow(
    p_flow uuid, p_account uuid, p_session uuid, p_client text, p_state jsonb, p_code_digest bytea, p_resend_seconds integer,
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    out outcome text, out wait double precision)
language plpgsql as $$
begin
    outcome := may_change_factors(p_account, p_session);
    if outcome is not null then
        return;
    end if;
    wait := send_message(p_message, p_buckets, p_bursts, p_periods, p_account);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    insert into flows (id, kind, client_id, account_id, state, code_digest, resend_after, expires_at)
    values (p_flow, 'factor', p_client, p_account, p_state || jsonb_build_object('guess_bucket', second_factor_bucket(p_account)),
            p_code_digest, now() + make_interval(secs => p_resend_seconds), now() + interval '10 minutes');
    outcome := 'opened';
end $$;

-- The proof of a factor that is being added. Outcomes: added, and those of judge_flow_answer and may_change_factors.
create function answer_factor_flow(
    p_flow uuid, p_revision integer, p_right boolean, p_code_digest bytea, p_most_tries integer, p_effects jsonb,
    p_account uuid, p_session uuid, p_client text, p_address text, p_request text,
    out outcome text, out tries_left integer, out wait double precision)
language plpgsql as $$
declare
    flow record;
    effect jsonb;
begin
    outcome := may_change_factors(p_account, p_session);
    if outcome is not null then
        return;
    end if;
    select j.* into flow from judge_flow_answer(p_flow, 'factor', p_client, p_revision, p_right, p_code_digest, p_most_tries) j;
    outcome := case when flow.outcome is null and flow.account_id <> p_account then 'flow_expired' else flow.outcome end;
    tries_left := flow.tries_left;
    wait := flow.wait;
    if outcome is not null then
        return;
    end if;
    for effect in select jsonb_array_elements(p_effects) loop
        outcome := apply_flow_effect(p_account, effect, p_flow, p_session, p_client, p_address, p_request);
        if outcome is not null then
            return;
        end if;
    end loop;
    perform give_back_to_throttles(flow.bucket, array[180000::bigint]);
    delete from flows where id = p_flow;
    outcome := 'added';
end $$;

-- Outcomes: removed, not_found, last_credential.
create function remove_passkey(p_account uuid, p_passkey uuid, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    if not exists (select from passkeys where id = p_passkey and account_id = p_account) then
        return 'not_found';
    end if;
    if not exists (select from passkeys where account_id = p_account and id <> p_passkey)
       and not exists (select from identities where account_id = p_account)
       and not exists (select from account_emails where account_id = p_account and proved_at is not null)
       and not exists (select from account_phones where account_id = p_account and proved_at is not null)
       and not exists (select from passwords w join accounts a on a.id = w.account_id
                        where w.account_id = p_account and a.user_name is not null)
    then
        return 'last_credential';
    end if;
    delete from passkeys where id = p_passkey;
    delete from flows where account_id = p_account;
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('factor_removed', 'done', 'passkey', p_account, p_session, p_client, p_address, p_request, jsonb_build_object('factor', p_passkey));
    perform notify_account(p_account, 'factor_removed', jsonb_build_object('kind', 'passkey'));
    return 'removed';
end $$;

-- Takes a factor away. The last second factor takes the recovery codes and the remembered devices with it. Outcomes:
-- removed, not_found, second_factor_demanded, and those of may_change_factors.
create function remove_factor(p_account uuid, p_factor uuid, p_session uuid, p_client text, p_address text, p_request text)
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
        return remove_passkey(p_account, p_factor, p_session, p_client, p_address, p_request);
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

-- Names a factor or prefers it; null leaves a thing as it is. Outcomes: changed, not_found, session_ended.
create function change_factor(p_account uuid, p_factor uuid, p_name text, p_preferred boolean, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for no key update;
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

-- Changes what a person may change of the own profile; a member that is left out stays, and a null takes away.
create function change_profile(p_account uuid, p_change jsonb, p_session uuid, p_client text, p_address text, p_request text)
returns void language plpgsql as $$
begin
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

-- New recovery codes in place of all there were. Outcomes: replaced, no_second_factor, and those of may_change_factors.
create function replace_recovery_codes(p_account uuid, p_digests bytea[], p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text := may_change_factors(p_account, p_session);
begin
    if refused is not null then
        return refused;
    end if;
    if not exists (select from accounts where id = p_account and mfa) then
        return 'no_second_factor';
    end if;
    delete from recovery_codes where account_id = p_account;
    insert into recovery_codes (account_id, digest) select p_account, digest from unnest(p_digests) digest;
    insert into audit_events (action, outcome, account_id, session_id, client_id, address, request_id)
    values ('recovery_codes_replaced', 'done', p_account, p_session, p_client, p_address, p_request);
    perform notify_account(p_account, 'recovery_codes_replaced', '{}');
    return 'replaced';
end $$;

-- A password that its owner chooses while signed in; `p_old_hash` is the one that was just proved (null: there is none,
-- and the session must have been proved a short while ago). Every other session ends. Outcomes: changed, session_ended,
-- reauth_required, step_up_required, and facts_changed where another change was faster.
create function change_password(
    p_account uuid, p_session uuid, p_old_hash text, p_new_hash text, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text := may_change_factors(p_account, p_session);
begin
    if refused is not null and (p_old_hash is null or refused <> 'reauth_required') then
        return refused;
    end if;
    if (select hash from passwords where account_id = p_account) is distinct from p_old_hash then
        return 'facts_changed';
    end if;
    perform replace_password(p_account, p_new_hash, 'changed', p_session, null, p_client, p_address, p_request);
    return 'changed';
end $$;

-- Asks again on a device. Outcomes: forgotten, not_found.
create function forget_device(p_account uuid, p_device uuid, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    delete from remembered_devices where id = p_device and account_id = p_account;
    if not found then
        return 'not_found';
    end if;
    insert into audit_events (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('device_forgotten', 'done', p_account, p_session, p_client, p_address, p_request, jsonb_build_object('device', p_device));
    return 'forgotten';
end $$;

-- A passkey that was just made. Answers null, or factor_exists.
create function add_passkey(p_account uuid, p_passkey jsonb, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    insert into passkeys (id, account_id, user_handle, credential_id, public_key, algorithm, counter, transports, aaguid, backup_eligible, backed_up,
                          attestation, name)
    values ((p_passkey->>'id')::uuid, p_account, uuid_send(p_account), decode(p_passkey->>'credential', 'hex'), decode(p_passkey->>'public_key', 'hex'),
            (p_passkey->>'algorithm')::integer, (p_passkey->>'counter')::bigint,
            array(select jsonb_array_elements_text(p_passkey->'transports')), (p_passkey->>'aaguid')::uuid,
            (p_passkey->>'backup_eligible')::boolean, (p_passkey->>'backed_up')::boolean, p_passkey->>'attestation', p_passkey->>'name')
    on conflict (credential_id) do nothing;
    if not found then
        return 'factor_exists';
    end if;
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('factor_added', 'done', 'passkey', p_account, p_session, p_client, p_address, p_request,
            jsonb_build_object('factor', p_passkey->>'id', 'attestation', p_passkey->>'attestation'));
    perform notify_account(p_account, 'factor_added', jsonb_build_object('kind', 'passkey'));
    return null;
end $$;

-- A passkey says who it is, and its challenge is spent. Outcomes: signed_in, next_step, flow_expired (spent before),
-- account_disabled, code_wrong (its counter has gone on meanwhile).
create function sign_in_with_passkey(
    p_account uuid, p_effects jsonb, p_spent bytea, p_spent_until bigint, p session_request, p_gate jsonb,
    out outcome text, out display_name text, out email text, out email_proved boolean, out account_created timestamptz)
language plpgsql as $$
declare
    effect jsonb;
begin
    select a.display_name, a.created_at, e.address, e.proved_at is not null into display_name, account_created, email, email_proved
      from accounts a left join account_emails e on e.account_id = a.id and e.is_main
     where a.id = p_account and a.status = 'active' for key share of a;
    if not found then
        outcome := 'account_disabled';
        return;
    end if;
    if spend(array[p_spent], array[p_spent_until]) > 0 then
        outcome := 'flow_expired';
        return;
    end if;
    for effect in select jsonb_array_elements(p_effects) loop
        outcome := apply_flow_effect(p_account, effect, null, p.id, p.client_id, p.address, p.request_id);
        if outcome is not null then
            return;
        end if;
    end loop;
    outcome := reach_session(p, p_account, null, 'signed_in', 'passkey', null, null, p_gate);
end $$;

-- A flow that raises a session: it begins with what was proved for the session. One that is at the higher level already
-- keeps what it came in by and proves the rest anew: else whoever found it would get a fresh one for nothing. Outcomes:
-- next_step, session_ended, no_second_factor.
create function begin_step_up(p_flow uuid, p_account uuid, p_session uuid, p_state jsonb, p_address text, p_request text)
returns text language plpgsql as $$
declare
    session record;
    proved  jsonb;
begin
    select s.*, a.mfa or exists (select from passkeys k where k.account_id = a.id) as has_second into session
      from sessions s join accounts a on a.id = s.account_id and a.status = 'active'
     where s.id = p_session and s.account_id = p_account and s.ended_at is null and s.expires_at > now();
    if not found then
        return 'session_ended';
    end if;
    if not session.has_second then
        return 'no_second_factor';
    end if;
    proved := coalesce(session.proofs, '[]');
    if session.acr = '2' then
        proved := case when proved->0->>'kind' = 'verified_passkey' or proved = '[]' then '[]' else jsonb_build_array(proved->0) end;
    end if;
    insert into flows (id, kind, client_id, account_id, state, expires_at)
    values (p_flow, 'sign_in', session.client_id, p_account,
            p_state || jsonb_build_object('proofs', proved, 'identity', session.identity_id, 'session', p_session,
                                          'guess_bucket', second_factor_bucket(p_account)),
            now() + interval '10 minutes');
    insert into audit_events (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('step_up_started', 'done', p_account, p_session, session.client_id, p_address, p_request, jsonb_build_object('flow', p_flow));
    return 'next_step';
end $$;
