-- Records the result of a lease: delivered, failed, postponed (nothing was sent), or gone (the endpoint refuses further
-- events and is disabled). A lost lease changes nothing.
-- Locks: event_deliveries, event_endpoints.
create or replace function settle_event(
    p_number bigint, p_tries integer, p_outcome text, p_status integer, p_error text, p_pause double precision)
returns void language plpgsql as $$
declare
    endpoint uuid;
begin
    update event_deliveries d
       set state = case when p_outcome = 'delivered' then 'delivered'
                        when p_outcome = 'gone' or now() >= d.give_up_at then 'dead' else 'waiting' end,
           settled_at = case when p_outcome in ('delivered', 'gone') or now() >= d.give_up_at then now() end,
           tries = d.tries - case p_outcome when 'postponed' then 1 else 0 end,
           not_before = least(now() + make_interval(secs => p_pause), greatest(d.give_up_at, now())),
           claimed_until = null, last_status = p_status, last_error = p_error
     where d.number = p_number and d.tries = p_tries and d.state = 'waiting'
    returning d.endpoint_id into endpoint;
    if endpoint is null or p_outcome = 'postponed' then
        return;
    end if;
    if p_outcome = 'delivered' then
        update event_endpoints set failing_since = null where id = endpoint and failing_since is not null;
    else
        update event_endpoints set failing_since = now() where id = endpoint and failing_since is null;
    end if;
    if p_outcome = 'gone' then
        update event_endpoints set disabled_at = now() where id = endpoint and disabled_at is null;
        if found then
            insert into audit_inbox (action, outcome, reason, detail)
            values ('event_endpoint_disabled', 'done', 'gone', jsonb_build_object('endpoint', endpoint));
        end if;
    end if;
end $$;
