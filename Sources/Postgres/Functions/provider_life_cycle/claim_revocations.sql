-- Leases due revocations to one server. `p_providers`: the providers that it can reach.
-- Locks: provider_revocations (for update skip locked).
create or replace function claim_revocations(p_providers text[], p_limit integer, p_lease_seconds integer) returns setof provider_revocations
language sql as $$
    update provider_revocations r
       set tries = r.tries + 1, claimed_until = clock_timestamp() + make_interval(secs => p_lease_seconds)
     where r.id = any (array(
        select w.id from provider_revocations w
         where w.state = 'waiting' and w.provider = any (p_providers) and w.expires_at > now()
           and greatest(w.not_before, w.claimed_until) <= now()
         order by greatest(w.not_before, w.claimed_until) limit p_limit for update skip locked))
    returning r.*;
$$;
