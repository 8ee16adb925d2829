-- The seconds until the next guess is allowed; charges nothing. Callers use it before an expensive hash or call.
-- Locks: none
create or replace function flow_guess_wait(p_account uuid, p_state jsonb, p_limits flow_limits) returns double precision language sql stable as $$
    select greatest(extract(epoch from t.arrival - make_interval(secs => (p_limits).guess_period * ((p_limits).guess_burst - 1) / 1000.0) - now()), 0)
      from throttles t where t.bucket = flow_guess_bucket(p_account, p_state);
$$;
