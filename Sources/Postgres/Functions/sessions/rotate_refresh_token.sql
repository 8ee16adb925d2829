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
