-- Whether a first factor is insufficient: the account or the client requires a second factor, or the password must be
-- replaced.
-- Locks: none
create or replace function is_more_due(p_acr text, p_provider text, p_gate jsonb, p_wants_factor boolean, p_password_state text)
returns boolean language sql immutable as $$
    select ((p_wants_factor or (p_gate->>'demanded')::boolean) and p_acr <> '2') or (p_password_state <> 'usable' and p_provider = 'password')
$$;
