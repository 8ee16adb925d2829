-- Whether a first factor is not enough: the account or the client wants a second one, or the password is to be replaced.
-- Locks: none
create or replace function is_step_due(p session_request, p_account uuid, p_gate jsonb) returns boolean language plpgsql stable as $$
begin
    return ((p_gate->>'demanded')::boolean and p.acr <> '2')
        or exists (select from accounts
                    where id = p_account and (((mfa or mfa_demanded) and p.acr <> '2') or (password_state <> 'usable' and p.provider = 'password')));
end $$;
