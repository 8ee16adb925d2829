-- The bucket for guesses at a flow: per name at the first factor, per account later, whatever the sign-in name.
-- Locks: none
create or replace function flow_guess_bucket(p_account uuid, p_state jsonb) returns bytea language sql immutable as $$
    select decode(case when p_account is null or coalesce(p_state->'proofs', '[]') = '[]' then p_state->>'guess_bucket'
                       else second_factor_bucket(p_account) end, 'hex');
$$;
