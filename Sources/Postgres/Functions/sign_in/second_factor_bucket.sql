-- Where wrong answers for an account are counted, whatever flow they belong to.
-- Locks: none
create or replace function second_factor_bucket(p_account uuid) returns text language sql immutable as $$
    select encode(substr(sha256(('second factor ' || p_account)::bytea), 1, 16), 'hex');
$$;
