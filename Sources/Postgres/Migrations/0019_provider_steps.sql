-- Sign-ins that a provider leads step by step: what it said stays sealed here between two answers.

create function begin_provider_flow(
    p_flow uuid, p_client text, p_state jsonb, p_seconds integer, p_provider text, p_address text, p_request text)
returns void language sql as $$
    insert into flows (id, kind, client_id, state, expires_at)
    values (p_flow, 'provider', p_client, p_state, now() + make_interval(secs => p_seconds));
    insert into audit_events (action, outcome, client_id, provider, address, request_id, detail)
    values ('provider_steps_started', 'done', p_client, p_provider, p_address, p_request, jsonb_build_object('flow', p_flow));
$$;

-- Pays for one answer before the provider is asked. Outcomes: null (go on), flow_expired, wait, too_many_tries.
create function take_provider_flow(
    p_flow uuid, p_client text, p_most_tries integer,
    out outcome text, out wait double precision, out revision integer, out state jsonb, out tries_left integer)
language plpgsql as $$
declare
    flow record;
begin
    select f.* into flow from flows f
     where f.id = p_flow and f.kind = 'provider' and f.client_id = p_client and f.expires_at > now() for update;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    wait := take_from_throttles(array[decode(flow.state->>'guess_bucket', 'hex')], array[20::bigint], array[180000::bigint]);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    if flow.tries >= p_most_tries then
        outcome := 'too_many_tries';
        return;
    end if;
    update flows f set tries = f.tries + 1 where f.id = p_flow;
    revision := flow.revision;
    state := flow.state;
    tries_left := p_most_tries - flow.tries - 1;
end $$;

-- What the provider answered: another step, or the same with another state. False when another answer was faster.
create function keep_provider_flow(p_flow uuid, p_revision integer, p_state jsonb, p_is_next boolean, p_seconds integer) returns boolean
language plpgsql as $$
begin
    update flows f
       set state = p_state, revision = f.revision + 1, tries = case when p_is_next then 0 else f.tries end,
           expires_at = case when p_is_next then now() + make_interval(secs => p_seconds) else f.expires_at end
     where f.id = p_flow and f.kind = 'provider' and f.revision = p_revision;
    return found;
end $$;

-- The password that a provider has just taken becomes the account's own, where it has none. False where it has one.
create function keep_migrated_password(p_account uuid, p_hash text, p_provider text, p_client text, p_address text, p_request text)
returns boolean language plpgsql as $$
begin
    insert into passwords (account_id, hash) values (p_account, p_hash) on conflict (account_id) do nothing;
    if not found then
        return false;
    end if;
    insert into audit_events (action, outcome, reason, account_id, client_id, provider, address, request_id)
    values ('password_set', 'done', 'migrated', p_account, p_client, p_provider, p_address, p_request);
    return true;
end $$;
