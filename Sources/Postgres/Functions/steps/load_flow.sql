-- A pending flow with the data of its account; null: no account, so every answer is wrong.
-- Locks: none
create or replace function load_flow(
    p_flow uuid, p_kind text, p_client text, p_limits flow_limits, p_mark bytea, p_address text,
    out revision integer, out account_id uuid, out state jsonb, out sealed bytea, out seconds_left double precision,
    out factors jsonb, out hash text, out subject text, out failures integer, out code_digest bytea, out guess_wait double precision)
language plpgsql stable as $$
#variable_conflict use_column
begin
    select f.revision, f.account_id, f.state, f.sealed, extract(epoch from f.expires_at - now()),
           account_factors(f.account_id), w.hash, coalesce(i.subject, l.state->>'subject'),
           case when is_own_answer(f.account_id, f.state, p_mark, p_address) then f.tries else f.foreign_tries end, f.code_digest,
           wait_for_throttles(g.buckets, g.bursts, g.periods)
      into revision, account_id, state, sealed, seconds_left, factors, hash, subject, failures, code_digest, guess_wait
      from flows f
      left join passwords w on w.account_id = f.account_id
      left join identities i on i.id = (f.state->>'identity')::uuid and i.account_id = f.account_id
      left join lateral flow_guess(f.account_id, f.state, p_limits, p_mark, p_address) g on true
      left join flows l on l.id = (f.state->>'link_flow')::uuid and l.state->>'identity' = f.state->>'identity'
     where f.id = p_flow and f.kind = p_kind and f.client_id = p_client and f.expires_at > now();
end $$;
