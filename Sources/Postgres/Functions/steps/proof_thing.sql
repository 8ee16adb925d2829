-- The address or number that a stored proof depends on, in the format of `Proof.thing`; null if none.
-- Locks: none
create or replace function proof_thing(p_proof jsonb) returns text language sql immutable as $$
    select case when p_proof->>'kind' in ('email_code', 'provider') and p_proof->>'address' is not null
                     then 'mailbox ' || (p_proof->>'address')
                when p_proof->>'kind' = 'provider' then 'provider'
                when p_proof->>'kind' = 'sms_code' then 'phone ' || coalesce(p_proof->>'address', '') end;
$$;
