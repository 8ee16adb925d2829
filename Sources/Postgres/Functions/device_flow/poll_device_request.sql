-- Answers a device that asks for its session (RFC 8628 section 3.4). The poll that learns of the session deletes the request, so a
-- second one finds nothing. A device that asks too soon must wait longer from then on.
-- It comes before the session's lock in its transaction. That is safe: the answer of the user, which takes the two in the
-- other order, has committed before a request is allowed.
-- Locks: device_requests (for update).
-- Outcomes: invalid, expired, declined, allowed, slow_down, pending
-- Invariant: a single-use value is used once.
create or replace function poll_device_request(
    p_digest bytea, p_client text, p_patience_seconds integer, p_more_seconds integer, p_most_seconds integer,
    out outcome text, out sealed bytea)
language plpgsql as $$
declare
    asked device_requests;
begin
    select * into asked from device_requests d where d.device_digest = p_digest for update;
    if not found or asked.client_id <> p_client then
        outcome := 'invalid';
        return;
    end if;
    if asked.expires_at <= now() then
        outcome := 'expired';
        return;
    end if;
    if asked.state = 'declined' then
        outcome := 'declined';
        return;
    end if;
    if asked.state = 'allowed' then
        delete from device_requests where id = asked.id;
        outcome := 'allowed';
        sealed := asked.sealed_code;
        return;
    end if;
    outcome := 'pending';
    if asked.polled_at > now() - make_interval(secs => asked.interval_seconds - p_patience_seconds) then
        outcome := 'slow_down';
        asked.interval_seconds := least(asked.interval_seconds + p_more_seconds, p_most_seconds);
    end if;
    update device_requests set polled_at = now(), interval_seconds = asked.interval_seconds where id = asked.id;
end $$;
