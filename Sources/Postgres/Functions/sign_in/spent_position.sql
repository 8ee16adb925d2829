-- The 1-based position of the first spent value; the earlier position if the next value was spent with this very
-- credential; null if none is spent. The arguments are those of `spend`.
-- Locks: none
create or replace function spent_position(p_digests bytea[], p_until bigint[]) returns integer language sql stable as $$
    select min(case when s.beside = p_digests[u.place - 1] and p_until[u.place - 1] = 0 then u.place - 1 else u.place end)::integer
      from unnest(p_digests, p_until) with ordinality u (digest, until, place)
      left join spent s on u.until > 0 and s.expires_at = to_timestamp(u.until) and s.digest = u.digest
      left join spent_codes c on u.until < 0 and c.digest = u.digest
     where s.digest is not null or c.digest is not null;
$$;
