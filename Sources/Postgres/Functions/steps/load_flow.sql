-- A pending flow with the data of its account; null: no account, so every answer is wrong.
-- Locks: none
create or replace function load_flow(
    p_flow uuid, p_kind text, p_client text, p_limits flow_limits, p_mark bytea, p_address text,
    out revision integer, out account_id uuid, out identity_id uuid, out link_flow uuid, out session_id uuid, out renews boolean,
    out new_account boolean, out proofs jsonb, out state jsonb, out sealed bytea, out seconds_left double precision,
    out factors jsonb, out hash text, out subject text, out failures integer, out code_digest bytea, out guess_wait double precision)
language plpgsql stable as $$
#variable_conflict use_column
begin
    select f.revision, f.account_id, f.identity_id, f.link_flow, f.session_id, f.renews, f.new_account, f.proofs, f.state, f.sealed,
           extract(epoch from f.expires_at - now()), account_factors(f.account_id), w.hash, coalesce(i.subject, l.state->>'subject'),
           case when is_own_answer(f, p_mark, p_address) then f.tries else f.foreign_tries end, f.code_digest,
           wait_for_throttles(g.buckets, g.bursts, g.periods)
      into revision, account_id, identity_id, link_flow, session_id, renews, new_account, proofs, state, sealed, seconds_left, factors, hash, subject, failures, code_digest, guess_wait
      from flows f
      left join passwords w on w.account_id = f.account_id
      left join identities i on i.id = f.identity_id and i.account_id = f.account_id
      left join lateral flow_guess(f, p_limits, p_mark, p_address) g on true
      left join flows l on l.id = f.link_flow and l.state->>'identity' = f.identity_id::text
     where f.id = p_flow and f.kind = p_kind and f.client_id = p_client and f.expires_at > now();
end $$;
