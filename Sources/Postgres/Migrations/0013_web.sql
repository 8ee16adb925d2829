-- Sessions that begin in a browser: handed to an app by a one-time code, or kept as a cookie.

-- A code for an app's redirect address. Its session waits, and is over when the code is: redeeming wakes it.
create table handover_codes (
    digest       bytea primary key,
    session_id   uuid not null references sessions on delete cascade,
    client_id    text not null references clients on delete cascade,
    challenge    text not null,                       -- S256 (RFC 7636); only its verifier redeems
    redirect_uri text not null,
    idle_seconds integer not null,                    -- what the session's idle life will be
    expires_at   timestamptz not null,
    spent_at     timestamptz
);
create index handover_codes_expiry on handover_codes (expires_at);

-- Redeems a code for its session, once. Outcomes: redeemed; invalid (unknown, expired, of another client, address or
-- verifier: it is spent all the same); reused (RFC 6749 §4.1.2: the session that it gave ends).
create function redeem_handover_code(
    p_digest bytea, p_client text, p_redirect_uri text, p_challenge text, p_address text, p_user_agent text, p_request text,
    out outcome text, out account_id uuid, out provider text, out auth_time timestamptz, out amr text[], out acr text,
    out redeemed_at timestamptz, out idle_expires_at timestamptz)
language plpgsql as $$
declare
    code record;
begin
    outcome := 'invalid';
    select h.* into code from handover_codes h where h.digest = p_digest for update;
    if not found then
        return;
    end if;
    if code.spent_at is not null then
        outcome := 'reused';
        update sessions set ended_at = now(), end_reason = 'code_reused' where id = code.session_id and ended_at is null
        returning sessions.account_id into account_id;
        if found then
            insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id)
            values ('session_ended', 'done', 'code_reused', account_id, code.session_id, code.client_id, p_address, p_request);
            perform pg_notify('gateway_sessions', 'session:' || code.session_id);
        end if;
        return;
    end if;
    update handover_codes set spent_at = now() where digest = p_digest;
    if code.expires_at <= now() or code.client_id <> p_client or code.redirect_uri <> p_redirect_uri or code.challenge <> p_challenge then
        update sessions set ended_at = now(), end_reason = 'code_refused' where id = code.session_id and ended_at is null
        returning sessions.account_id into account_id;
        insert into audit_events (action, outcome, reason, account_id, session_id, client_id, address, request_id)
        values ('session_ended', 'done', 'code_refused', account_id, code.session_id, code.client_id, p_address, p_request);
        return;
    end if;
    update sessions s
       set idle_seconds = code.idle_seconds, rotated_at = now(),
           idle_expires_at = least(s.expires_at, now() + make_interval(secs => code.idle_seconds)),
           address = p_address, user_agent = coalesce(p_user_agent, s.user_agent)
     where s.id = code.session_id and s.ended_at is null and s.idle_expires_at > now() and s.expires_at > now()
    returning s.account_id, s.provider, s.auth_time, s.amr, s.acr, s.rotated_at, s.idle_expires_at
      into account_id, provider, auth_time, amr, acr, redeemed_at, idle_expires_at;
    if not found then
        return;
    end if;
    insert into audit_events (action, outcome, account_id, session_id, client_id, provider, address, request_id)
    values ('handed_over', 'done', account_id, code.session_id, p_client, provider, p_address, p_request);
    outcome := 'redeemed';
end $$;

-- Deletes what has run out; as before, and spent codes a day later, so that a late second use is still known for one.
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
    -- Ended families are kept for a month past their end of life, so that a late replay is still known for one.
    delete from sessions where ctid = any (array(select ctid from sessions where expires_at < now() - interval '30 days' limit p_limit for update skip locked));
    get diagnostics gone = row_count; total := total + gone;
    return total;
end $$;
