-- Queues events for each enabled endpoint that subscribes to them: an array of {event_id, type, at in microseconds,
-- account_id, client_id, data}. The delivery id derives from its content, so nothing is queued twice. Deliveries expire
-- after `p_life_seconds`.
-- Locks: event_deliveries.
create or replace function queue_events(p_events jsonb, p_life_seconds integer) returns void language sql as $$
    insert into event_deliveries (id, endpoint_id, event_id, type, occurred_at, account_id, payload, give_up_at)
    select 'msg_' || left(encode(sha256(convert_to(n.id || ' ' || e.event_id || ' ' || e.type, 'UTF8')), 'hex'), 32),
           n.id, e.event_id, e.type, t.at, e.account_id,
           jsonb_build_object('type', e.type, 'data', e.data,
                              'timestamp', to_char(t.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
           now() + make_interval(secs => p_life_seconds)
      from jsonb_to_recordset(p_events) as e (event_id bigint, type text, at bigint, account_id uuid, client_id text, data jsonb)
     cross join lateral (select timestamptz 'epoch' + e.at * interval '1 microsecond' as at) t
      join event_endpoints n on n.disabled_at is null and n.created_at <= t.at
                            and (n.types = '{}' or e.type = any (n.types))
                            and (n.client_id is null or n.client_id = e.client_id)
     order by e.event_id
        on conflict (id) do nothing;
$$;
