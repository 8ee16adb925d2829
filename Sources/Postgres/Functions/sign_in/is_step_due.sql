-- As is_more_due, for an account that is not loaded yet.
-- Locks: none
create or replace function is_step_due(p session_request, p_account uuid, p_gate jsonb) returns boolean language plpgsql stable as $$
declare
    wants_factor boolean;
    password_is text;
begin
    select a.mfa or a.mfa_demanded, a.password_state into wants_factor, password_is from accounts a where a.id = p_account;
    return is_more_due(p.acr, p.provider, p_gate, wants_factor, password_is);
end $$;
