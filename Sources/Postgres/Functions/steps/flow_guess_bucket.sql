-- The bucket for guesses at a flow: that of its state at the first factor and for passwords. Later, and for a state
-- without one, the account's bucket of second factors, whatever the sign-in name.
-- Locks: none
create or replace function flow_guess_bucket(p_flow flows) returns bytea language sql immutable as $$
    select coalesce(case when p_flow.account_id is null or p_flow.proofs = '[]' or p_flow.state ? 'guess'
                         then decode(p_flow.state->>'guess_bucket', 'hex') end, second_factor_bucket(p_flow.account_id));
$$;
