-- Closes an account unless it has a usable sign-in method; `p_providers` are the providers that work today. Returns
-- whether it was closed.
-- Locks: *close_account.
-- Invariant: an open account has a usable sign-in method.
create or replace function close_account_without_sign_in_method(p_account uuid, p_providers text[], p_reason text, p_request text)
returns boolean language plpgsql as $$
begin
    if has_sign_in_method(p_account, p_providers) then
        return false;
    end if;
    perform close_account(p_account, p_reason, p_request);
    return true;
end $$;
