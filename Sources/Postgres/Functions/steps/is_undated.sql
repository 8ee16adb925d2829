-- Whether nothing but providers proved a session, and none stated the time of its sign-in.
-- Locks: none
create or replace function is_undated(p_proofs jsonb) returns boolean language sql immutable as $$
    select coalesce(p_proofs <> '[]' and not exists (
        select from jsonb_array_elements(p_proofs) p where coalesce((p->>'undated')::boolean, false) is false), false)
$$;
