-- Rotates a refresh token. `p_client`: the authenticated client, or null without one, which only a public client may
-- omit.
--
-- A lost answer must not sign the user out. The newest predecessor may be retried while its successor is unspent and
-- returns the same successor: freely within the grace period `p_grace_seconds`, later within `p_late_seconds` and for
-- at most `p_most_late` generations in a row. One more late retry, or any use of a token with a spent successor, is
-- theft and ends the session. The limit detects a thief who refreshes alternately with the user. The successor is a
-- keyed digest of its predecessor's secret, so a token that derives the current digest is the predecessor; its own
-- digest is not stored. A rotation changes no indexed column.
-- The session of another dialect than `p_dialect` is refused like another client's. The clients `p_relaxed` keep their refresh token: `kept`. Such a use counts like a rotation for the predecessor, which
-- is then no longer repeated.
-- Every use takes from the session's budget, `p_burst` at once and one each `p_period`; beyond it nothing is written.
-- `p_resource`: the resource that the access token is for (`reaches_resource`). `p_key`: the thumbprint of the key that the caller
-- proved. The token of a public client may be bound to one.
-- Nothing changes on claims_due, throttled, other_client, other_key, client_unproved and target_refused.
-- Locks: *next_claims_due, sessions (for update), *note_agent_use, *note_logout. The advisory lock only where it brings claims.
-- Outcomes: kept, rotated, unknown, other_client, other_key, client_unproved, ended, client_disabled, expired, repeated, claims_due, throttled, reused, target_refused
-- Invariant: a refresh token gets one successor; an ended session stays ended.
create or replace function rotate_refresh_token(
    p_session uuid, p_generation integer, p_digest bytea, p_next_digest bytea, p_client text,
    p_grace_seconds integer, p_late_seconds integer, p_most_late integer, p_address text, p_request text,
    p_renews boolean default false, p_claims jsonb default null, p_map jsonb default '{}', p_most_bytes integer default 0,
    p_due_seconds integer default null, p_relaxed text[] default '{}', p_dialect text default null,
    p_burst bigint default 1, p_period bigint default 0, p_resource text default null, p_key text default null,
    out outcome text, out account_id uuid, out client_id text, out provider text, out auth_time timestamptz, out amr text[], out acr text,
    out issued_at timestamptz, out idle_expires_at timestamptz, out claims jsonb, out administers boolean,
    out scopes text[], out wait double precision, out actor_id uuid, out subject text)
language plpgsql as $$
declare
    held record;
    is_late boolean;
    streak smallint;
    last_network text;
    keeps boolean;
    due timestamptz := case when p_renews then next_claims_due(p_session, p_due_seconds) end;
    period interval := make_interval(secs => p_period / 1000.0);
    -- The latest arrival of a session that may be used now (GCRA).
    limit_now timestamptz := now() + period * (p_burst - 1);
begin
    update sessions s
       set generation = s.generation + case when s.client_id = any (p_relaxed) then 0 else 1 end,
           refresh_digest = case when s.client_id = any (p_relaxed) then s.refresh_digest else p_next_digest end,
           kept_generation = case when s.client_id = any (p_relaxed) then s.generation else s.kept_generation end, rotated_at = now(),
           refresh_arrival = greatest(s.refresh_arrival, now()) + period,
           idle_expires_at = least(s.expires_at, now() + make_interval(secs => s.idle_seconds)),
           claims = case when p_renews and p_claims is not null then session_claims(s.account_id, p_claims, p_map, p_most_bytes) else s.claims end,
           claims_due_at = case when p_renews then due else s.claims_due_at end
     where s.id = p_session and s.generation = p_generation and s.refresh_digest = p_digest
       and s.ended_at is null and s.idle_expires_at > now() and s.expires_at > now()
       and (s.refresh_arrival is null or s.refresh_arrival <= limit_now)
       and (s.scopes is null and p_resource is null or reaches_resource(s.scopes, p_resource))
       and (p_renews or s.claims_due_at is null or s.claims_due_at > now())
       and s.client_id = coalesce(p_client, s.client_id) and s.dialect is not distinct from p_dialect
       and (s.key_thumbprint is null or s.key_thumbprint = p_key)
       and exists (select from clients c
                    where c.id = s.client_id and c.disabled_at is null and s.created_at >= c.live_since and (p_client is not null or c.type = 'public'))
    returning s.account_id, s.client_id, s.provider, s.auth_time, s.amr, s.acr, s.rotated_at, s.idle_expires_at, s.claims, s.administers, s.scopes,
              s.actor_id, s.subject, s.generation = p_generation
      into account_id, client_id, provider, auth_time, amr, acr, issued_at, idle_expires_at, claims, administers, scopes, actor_id, subject,
           keeps;
    if found then
        if actor_id is not null then
            perform act_as(actor_id, null);
        end if;
        insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, provider, address, request_id)
        values ('refreshed', 'done', case when keeps then 'token_kept' end, account_id, p_session, client_id, provider, p_address, p_request);
        if scopes is not null then
            perform note_agent_use(client_id);
        end if;
        if p_renews then
            perform pg_notify('gateway_sessions', 'session:' || p_session);
        end if;
        outcome := case when keeps then 'kept' else 'rotated' end;
        return;
    end if;
    select s.* into held from sessions s where s.id = p_session for update;
    if not found then
        outcome := 'unknown';
        return;
    end if;
    account_id := held.account_id;
    wait := greatest(extract(epoch from held.refresh_arrival - limit_now), 0);
    is_late := held.rotated_at <= now() - make_interval(secs => p_grace_seconds);
    streak := case held.generation - held.late_generation when 0 then held.late_streak when 1 then held.late_streak + 1 else 1 end;
    if held.client_id <> p_client or held.dialect is distinct from p_dialect then
        outcome := 'other_client';
    elsif held.key_thumbprint is not null and held.key_thumbprint is distinct from p_key then
        outcome := 'other_key';
    elsif p_client is null and exists (select from clients c where c.id = held.client_id and c.type <> 'public') then
        outcome := 'client_unproved';
    elsif not reaches_resource(held.scopes, p_resource) then
        outcome := 'target_refused';
    elsif held.ended_at is not null
          or exists (select from clients c where c.id = held.client_id and held.created_at < c.live_since) then
        outcome := 'ended';
    elsif exists (select from clients c where c.id = held.client_id and c.disabled_at is not null) then
        outcome := 'client_disabled';
    elsif held.generation = p_generation + 1 and held.refresh_digest = p_next_digest   -- derived from the predecessor only
          and held.kept_generation is distinct from held.generation
          and (not is_late or (held.rotated_at > now() - make_interval(secs => p_late_seconds) and streak <= p_most_late)) then
        client_id := held.client_id; provider := held.provider; auth_time := held.auth_time; amr := held.amr; acr := held.acr;
        issued_at := held.rotated_at; idle_expires_at := held.idle_expires_at; claims := held.claims; administers := held.administers;
        scopes := held.scopes; actor_id := held.actor_id; subject := held.subject;
        if held.idle_expires_at <= now() or held.expires_at <= now() then
            outcome := 'expired';
            return;
        end if;
        outcome := case when wait > 0 then 'throttled' when is_late and not p_renews and held.claims_due_at <= now() then 'claims_due' else 'repeated' end;
        if outcome <> 'repeated' then
            return;
        end if;
        update sessions s set refresh_arrival = greatest(s.refresh_arrival, now()) + period where s.id = p_session;
        if not is_late then
            return;
        end if;
        issued_at := now();
        update sessions s
           set late_generation = s.generation, late_streak = streak,
               claims = case when p_renews and p_claims is not null then session_claims(s.account_id, p_claims, p_map, p_most_bytes) else s.claims end,
               claims_due_at = case when p_renews then due else s.claims_due_at end
         where s.id = p_session
        returning s.claims into claims;
        select network_of(e.address) into last_network from audit_events e
         where e.account_id = held.account_id and (case when e.action = 'refreshed' then 1 else 0 end) = 1 and e.session_id = p_session
           and e.at >= held.rotated_at - interval '1 minute'
         order by e.id desc limit 1;
        insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, provider, address, request_id, detail)
        values ('refresh_repeated', 'done', case when last_network is distinct from network_of(p_address) then 'other_network' else 'late' end,
                account_id, p_session, client_id, provider, p_address, p_request,
                jsonb_build_object('generation', held.generation, 'in_a_row', streak,
                                   'seconds', floor(extract(epoch from now() - held.rotated_at))));
        if p_renews then
            perform pg_notify('gateway_sessions', 'session:' || p_session);
        end if;
    elsif p_generation < held.generation then
        outcome := 'reused';
        update sessions set ended_at = now(), end_reason = 'refresh_reuse' where id = p_session;
        insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, provider, address, request_id, detail)
        values ('session_ended', 'done', 'refresh_reuse', held.account_id, p_session, held.client_id, held.provider, p_address, p_request,
                jsonb_build_object('presented', p_generation, 'current', held.generation)
                || case when held.generation = p_generation + 1 and is_late and streak > p_most_late then jsonb_build_object('in_a_row', streak) else '{}' end);
        perform notify_account(held.account_id, 'refresh_reuse', jsonb_build_object('device', held.device_name), held.client_id);
        perform pg_notify('gateway_sessions', 'session:' || p_session);
    elsif p_generation = held.generation and p_digest = held.refresh_digest then
        outcome := case when held.idle_expires_at <= now() or held.expires_at <= now() then 'expired'
                        when wait > 0 then 'throttled' else 'claims_due' end;
        client_id := held.client_id;
    else
        -- A future generation means a restored backup. Neither token may stay valid.
        outcome := 'reused';
        update sessions set ended_at = now(), end_reason = 'generation_ahead' where id = p_session;
        insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, provider, address, request_id)
        values ('session_ended', 'done', 'generation_ahead', held.account_id, p_session, held.client_id, held.provider, p_address, p_request);
        perform pg_notify('gateway_sessions', 'session:' || p_session);
    end if;
end $$;
