-- Whether any of these values is spent; the parameters are those of spend.
-- Locks: none
-- Invariant: a single-use value is used once.
create or replace function is_spent(p_digests bytea[], p_until bigint[]) returns boolean language sql stable as $$
    select exists (select from unnest(p_digests, p_until) u (digest, until)
                     join spent s on s.expires_at = to_timestamp(u.until) and s.digest = u.digest where u.until > 0)
        or exists (select from unnest(p_digests, p_until) u (digest, until)
                     join spent_codes c on c.digest = u.digest where u.until < 0);
$$;
