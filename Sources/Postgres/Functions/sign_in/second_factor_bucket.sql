-- The bucket for wrong second-factor answers of an account, across all its flows.
-- Locks: none
create or replace function second_factor_bucket(p_account uuid) returns bytea language sql immutable as $$
    select substr(sha256(('second factor ' || p_account)::bytea), 1, 16);
$$;
