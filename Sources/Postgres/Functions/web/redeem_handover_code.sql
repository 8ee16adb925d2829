-- Redeems a handover code for its session, once. The session gets the dialect of the endpoint. The API of another vendor
-- gets none while the account's deletion is pending, and none where an operator acts for the user: its tokens have no mark for that.
-- `p_digest`: of the session's first refresh token, which derives from the code. `p_is_bound`: whether the caller shows what the code
-- is bound to. `p_idle_seconds`: of the claimed session. `p_key`: the thumbprint of the key that the client proved.
-- Locks: sessions (for no key update), *note_logout, *note_agent_use.
-- Outcomes: invalid, reused, deletion_waits, target_refused, redeemed
-- Invariant: an ended session stays ended; a single-use value is used once.
create or replace function redeem_handover_code(
    p_session uuid, p_digest bytea, p_is_bound boolean, p_client text, p_idle_seconds integer, p_address text, p_user_agent text,
    p_request text, p_dialect text default null, p_resource text default null, p_key text default null,
    out outcome text, out account_id uuid, out provider text, out auth_time timestamptz, out amr text[], out acr text,
    out redeemed_at timestamptz, out idle_expires_at timestamptz, out administers boolean,
    out scopes text[], out requested_claims jsonb, out actor_id uuid, out subject text)
language plpgsql as $$
declare
    asked sessions;
    is_public boolean;
    refused text;
begin
    outcome := 'invalid';
    select * into asked from sessions s where s.id = p_session for no key update;
    if not found or asked.ended_at is not null then
        return;
    end if;
    if asked.claimed_at is not null then
        outcome := 'reused';
        update sessions set ended_at = now(), end_reason = 'code_reused' where id = p_session;
        insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id)
        values ('session_ended', 'done', 'code_reused', asked.account_id, p_session, asked.client_id, p_address, p_request);
        perform pg_notify('gateway_sessions', 'session:' || p_session);
        return;
    end if;
    if asked.actor_id is not null then
        perform act_as(asked.actor_id, null);
    end if;
    select c.type = 'public' into is_public from clients c
     where c.id = asked.client_id and c.disabled_at is null and asked.created_at >= c.live_since;
    if not found or p_is_bound is not true or asked.refresh_digest <> p_digest or asked.client_id <> p_client
       or asked.idle_expires_at <= now() or asked.expires_at <= now() or asked.actor_id is not null and p_dialect is not null then
        refused := 'code_refused';
    elsif p_dialect is not null and deletion_waits(asked.account_id, null) then
        refused := 'deletion_requested';
        outcome := 'deletion_waits';
    elsif not reaches_resource(asked.scopes, p_resource) then
        refused := 'target_refused';
        outcome := 'target_refused';
    end if;
    if refused is not null then
        update sessions set ended_at = now(), end_reason = refused where id = p_session;
        insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id)
        values ('session_ended', 'done', refused, asked.account_id, p_session, asked.client_id, p_address, p_request);
        return;
    end if;
    update sessions s
       set claimed_at = now(), idle_seconds = p_idle_seconds, rotated_at = now(),
           idle_expires_at = least(s.expires_at, now() + make_interval(secs => p_idle_seconds)),
           -- A confidential client authenticates at each refresh, and may change its key.
           key_thumbprint = case when is_public then p_key end,
           dialect = p_dialect, address = p_address, user_agent = coalesce(p_user_agent, s.user_agent)
     where s.id = p_session
    returning s.account_id, s.provider, s.auth_time, s.amr, s.acr, s.rotated_at, s.idle_expires_at, s.administers, s.scopes,
              s.requested_claims, s.actor_id, s.subject
      into account_id, provider, auth_time, amr, acr, redeemed_at, idle_expires_at, administers, scopes, requested_claims, actor_id, subject;
    insert into audit_inbox (action, outcome, account_id, session_id, client_id, provider, address, request_id)
    values ('handed_over', 'done', account_id, p_session, p_client, provider, p_address, p_request);
    if scopes is not null then
        perform note_agent_use(p_client);
    end if;
    outcome := 'redeemed';
end $$;
