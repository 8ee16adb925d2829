-- Records the result of a lease: revoked, permanently refused, or waiting for a retry unless it has expired. A lost
-- lease changes nothing, except that a revoked token counts as revoked.
-- Locks: provider_revocations (for update), *end_revocation.
create or replace function settle_revocation(p_id uuid, p_tries integer, p_state text, p_error text, p_retry_seconds double precision)
returns void language plpgsql as $$
declare
    retry_at timestamptz := now() + make_interval(secs => coalesce(p_retry_seconds, 0));
begin
    perform 1 from provider_revocations
      where id = p_id and state = 'waiting' and (tries = p_tries or p_state = 'revoked') for update;
    if not found then
        return;
    end if;
    if p_state = 'waiting' then
        update provider_revocations set not_before = retry_at, claimed_until = null, last_error = p_error
         where id = p_id and retry_at < expires_at;
        if found then
            return;
        end if;
        p_state := 'given_up';
    end if;
    perform end_revocation(p_id, p_state, p_error);
end $$;
