-- Rotation is one statement. The token names its session and generation; what it proves is the digest.
-- Outcomes: rotated; repeated (the newest spent token again within the grace: the caller answers the same as before);
-- reused (an older one: the family is revoked here and now); ended; expired; unknown.
create function rotate_refresh_token(
    p_session uuid, p_generation integer, p_digest bytea, p_next_digest bytea, p_grace_seconds integer,
    p_address text, p_request text,
    out outcome text, out account_id uuid, out client_id text, out provider text, out auth_time timestamptz, out amr text[], out acr text,
    out rotated_at timestamptz, out idle_expires_at timestamptz)
language plpgsql as $$
declare
    held record;
begin
    update sessions s
       set generation = s.generation + 1, previous_digest = s.refresh_digest, refresh_digest = p_next_digest, rotated_at = now(),
           idle_expires_at = least(s.expires_at, now() + make_interval(secs => s.idle_seconds))
     where s.id = p_session and s.generation = p_generation and s.refresh_digest = p_digest
       and s.ended_at is null and s.idle_expires_at > now() and s.expires_at > now()
    returning s.account_id, s.client_id, s.provider, s.auth_time, s.amr, s.acr, s.rotated_at, s.idle_expires_at
      into account_id, client_id, provider, auth_time, amr, acr, rotated_at, idle_expires_at;
    if found then
        insert into audit_events (action, outcome, account_id, session_id, client_id, provider, address, request_id)
        values ('refreshed', 'done', account_id, p_session, client_id, provider, p_address, p_request);
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
    elsif held.generation = p_generation + 1 and held.previous_digest = p_digest
          and held.rotated_at > now() - make_interval(secs => p_grace_seconds)
          and held.refresh_digest = p_next_digest then
        outcome := 'repeated';
        client_id := held.client_id; provider := held.provider; auth_time := held.auth_time; amr := held.amr; acr := held.acr;
        rotated_at := held.rotated_at; idle_expires_at := held.idle_expires_at;
    elsif p_generation < held.generation then
        outcome := 'reused';
        update sessions set ended_at = now(), end_reason = 'refresh_reuse' where id = p_session;
        insert into audit_events (action, outcome, reason, account_id, session_id, client_id, provider, address, request_id, detail)
        values ('session_ended', 'done', 'refresh_reuse', held.account_id, p_session, held.client_id, held.provider, p_address, p_request,
                jsonb_build_object('presented', p_generation, 'current', held.generation));
        perform notify_account(held.account_id, 'refresh_reuse', jsonb_build_object('device', held.device_name));
        perform pg_notify('gateway_sessions', 'session:' || p_session);
    elsif p_generation = held.generation and p_digest = held.refresh_digest then
        outcome := 'expired';
    else
        -- A generation from the future: the database was set back. Neither side may live on.
        outcome := 'reused';
        update sessions set ended_at = now(), end_reason = 'generation_ahead' where id = p_session;
        insert into audit_events (action, outcome, reason, account_id, session_id, client_id, provider, address, request_id)
        values ('session_ended', 'done', 'generation_ahead', held.account_id, p_session, held.client_id, held.provider, p_address, p_request);
        perform pg_notify('gateway_sessions', 'session:' || p_session);
    end if;
end $$;

-- Ends one session of an account. False when it has none such open.
create function end_session(p_account uuid, p_session uuid, p_reason text, p_client text, p_address text, p_request text) returns boolean
language plpgsql as $$
begin
    update sessions set ended_at = now(), end_reason = p_reason where id = p_session and account_id = p_account and ended_at is null;
    if not found then
        return false;
    end if;
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('session_ended', 'done', p_reason, p_account, p_session, p_client, p_address, p_request);
    perform pg_notify('gateway_sessions', 'session:' || p_session);
    return true;
end $$;

-- Ends every session of an account.
create function sign_out_everywhere(p_account uuid, p_session uuid, p_client text, p_address text, p_request text) returns integer
language plpgsql as $$
declare
    ended integer := end_account_sessions(p_account, 'signed_out_everywhere', null);
begin
    insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('session_ended', 'done', 'signed_out_everywhere', p_account, p_session, p_client, p_address, p_request,
            jsonb_build_object('sessions', ended));
    return ended;
end $$;

-- Ends every session that began before a moment, of one client or of all. One audit row tells of them together; every
-- server forgets all that it believes about sessions.
create function revoke_sessions(p_before timestamptz, p_client text, p_reason text, p_request text) returns integer
language plpgsql as $$
declare
    ended integer;
begin
    update sessions set ended_at = now(), end_reason = 'revoked_by_operator'
     where created_at < p_before and ended_at is null and (p_client is null or client_id = p_client);
    get diagnostics ended = row_count;
    insert into audit_events (action, outcome, reason, client_id, request_id, detail)
    values ('sessions_revoked', 'done', p_reason, p_client, p_request,
            jsonb_build_object('issued_before', p_before, 'sessions', ended));
    perform pg_notify('gateway_sessions', 'all');
    return ended;
end $$;

-- Disabling ends everything; enabling gives nothing back but the right to sign in.
create function set_account_status(p_account uuid, p_status text, p_reason text, p_request text) returns boolean
language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for update;   -- waits for sign-ins that are under way
    update accounts set status = p_status, changed_at = now() where id = p_account and status <> p_status and status <> 'closed';
    if not found then
        return false;
    end if;
    if p_status <> 'active' then
        perform end_account_sessions(p_account, 'account_' || p_status, null);
        delete from flows where account_id = p_account;
    end if;
    insert into audit_events (action, outcome, reason, account_id, request_id)
    values ('account_' || p_status, 'done', p_reason, p_account, p_request);
    return true;
end $$;
