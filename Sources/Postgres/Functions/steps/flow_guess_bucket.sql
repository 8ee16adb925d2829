-- The bucket for guesses at a flow: that of its state at the first factor and for passwords. Later, and for a state
-- without one, the account's bucket of second factors, whatever the sign-in name.
-- Locks: none
create or replace function flow_guess_bucket(p_account uuid, p_state jsonb) returns bytea language sql immutable as $$
    select coalesce(case when p_account is null or coalesce(p_state->'proofs', '[]') = '[]' or p_state ? 'guess'
                         then decode(p_state->>'guess_bucket', 'hex') end, second_factor_bucket(p_account));
$$;
