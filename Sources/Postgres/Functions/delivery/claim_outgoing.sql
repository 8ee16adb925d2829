-- Leases due messages to one server. Expired messages are not sent. A notice from a SQL function expires after
-- `p_notice_seconds`.
-- Locks: outbox (for update skip locked).
create or replace function claim_outgoing(p_medium text, p_limit integer, p_lease_seconds integer, p_notice_seconds integer) returns setof outbox language sql as $$
    with due as (
        select o.id, coalesce(o.expires_at, o.created_at + make_interval(secs => p_notice_seconds)) as expires_at from outbox o
         where o.state = 'waiting' and o.medium = p_medium and greatest(o.not_before, o.claimed_until) <= now()
         order by greatest(o.not_before, o.claimed_until) limit p_limit for update skip locked
    ), over as (
        update outbox o set state = 'expired', sealed = null, detail = null, claimed_until = null
          from due where o.id = due.id and due.expires_at <= now()
    )
    update outbox o set tries = o.tries + 1, expires_at = due.expires_at, claimed_until = clock_timestamp() + make_interval(secs => p_lease_seconds)
      from due where o.id = due.id and due.expires_at > now()
    returning o.*;
$$;
