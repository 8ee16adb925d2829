-- Claims what is due, for one server; what came too late to be of use is not sent any more.
-- Locks: outbox (for update skip locked).
create or replace function claim_outgoing(p_medium text, p_limit integer, p_lease_seconds integer) returns setof outbox language sql as $$
    with due as (
        select o.id, o.expires_at <= now() as is_over from outbox o
         where o.state = 'waiting' and o.medium = p_medium and greatest(o.not_before, o.claimed_until) <= now()
         order by greatest(o.not_before, o.claimed_until) limit p_limit for update skip locked
    ), over as (
        update outbox o set state = 'expired', sealed = null, detail = null, claimed_until = null
          from due where o.id = due.id and due.is_over
    )
    update outbox o set tries = o.tries + 1, claimed_until = clock_timestamp() + make_interval(secs => p_lease_seconds)
      from due where o.id = due.id and not due.is_over
    returning o.*;
$$;
