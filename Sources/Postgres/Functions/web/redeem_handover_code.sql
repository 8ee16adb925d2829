-- Redeems a handover code for its session, once. The session gets the dialect of the endpoint. The API of another vendor
-- gets none while the account's deletion is pending, and none where an operator acts for the user: its tokens have no mark for that.
-- `p_key`: the thumbprint of the key that the client proved.
-- Locks: sessions (for no key update), handover_codes (for update), *note_logout, *note_agent_use. The session before its code.
-- Outcomes: invalid, reused, deletion_waits, target_refused, redeemed
-- Invariant: an ended session stays ended; a single-use value is used once.
create or replace function redeem_handover_code(
    p_digest bytea, p_client text, p_redirect_uri text, p_challenge text, p_address text, p_user_agent text, p_request text,
    p_dialect text default null, p_resource text default null, p_key text default null,
    out outcome text, out account_id uuid, out provider text, out auth_time timestamptz, out amr text[], out acr text,
    out redeemed_at timestamptz, out idle_expires_at timestamptz, out administers boolean,
    out scopes text[], out nonce text, out requested_claims jsonb, out actor_id uuid, out subject text)
language plpgsql as $$
declare
    code record;
    granted text[];
    refused text;
begin
    outcome := 'invalid';
    -- The session before its code, as everywhere.
    select s.scopes, s.actor_id into granted, actor_id from sessions s where s.id = (select h.session_id from handover_codes h where h.digest = p_digest) for no key update;
    select h.* into code from handover_codes h where h.digest = p_digest for update;
    if not found then
        return;
    end if;
    if code.spent_at is not null then
        outcome := 'reused';
        update sessions set ended_at = now(), end_reason = 'code_reused' where id = code.session_id and ended_at is null
        returning sessions.account_id into account_id;
        if found then
            insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id)
            values ('session_ended', 'done', 'code_reused', account_id, code.session_id, code.client_id, p_address, p_request);
            perform pg_notify('gateway_sessions', 'session:' || code.session_id);
        end if;
        return;
    end if;
    update handover_codes set spent_at = now() where digest = p_digest;
    if actor_id is not null then
        perform act_as(actor_id, null);
    end if;
    if code.expires_at <= now() or code.client_id <> p_client or code.redirect_uri <> p_redirect_uri or code.challenge is distinct from p_challenge
       or code.key_thumbprint is not null and code.key_thumbprint is distinct from p_key
       or actor_id is not null and p_dialect is not null then
        refused := 'code_refused';
    elsif p_dialect is not null and deletion_waits((select s.account_id from sessions s where s.id = code.session_id), null) then
        refused := 'deletion_requested';
        outcome := 'deletion_waits';
    elsif not reaches_resource(granted, p_resource) then
        refused := 'target_refused';
        outcome := 'target_refused';
    end if;
    if refused is not null then
        update sessions set ended_at = now(), end_reason = refused where id = code.session_id and ended_at is null
        returning sessions.account_id into account_id;
        if not found then
            return;
        end if;
        insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id)
        values ('session_ended', 'done', refused, account_id, code.session_id, code.client_id, p_address, p_request);
        return;
    end if;
    update sessions s
       set idle_seconds = code.idle_seconds, rotated_at = now(),
           idle_expires_at = least(s.expires_at, now() + make_interval(secs => code.idle_seconds)),
           -- A confidential client authenticates at each refresh, and may change its key.
           key_thumbprint = (select p_key from clients c where c.id = s.client_id and c.type = 'public'),
           dialect = p_dialect, address = p_address, user_agent = coalesce(p_user_agent, s.user_agent)
     where s.id = code.session_id and s.ended_at is null and s.idle_expires_at > now() and s.expires_at > now()
       and exists (select from clients c where c.id = s.client_id and c.disabled_at is null and s.created_at >= c.live_since)
    returning s.account_id, s.provider, s.auth_time, s.amr, s.acr, s.rotated_at, s.idle_expires_at, s.administers, s.scopes,
              s.requested_claims, s.subject
      into account_id, provider, auth_time, amr, acr, redeemed_at, idle_expires_at, administers, scopes, requested_claims, subject;
    if not found then
        return;
    end if;
    insert into audit_inbox (action, outcome, account_id, session_id, client_id, provider, address, request_id)
    values ('handed_over', 'done', account_id, code.session_id, p_client, provider, p_address, p_request);
    if scopes is not null then
        perform note_agent_use(p_client);
    end if;
    nonce := code.nonce;
    outcome := 'redeemed';
end $$;
