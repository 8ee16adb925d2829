-- Closes an account unless a way in is left; `p_providers` can be used today. Returns whether it closed the account.
-- Locks: *close_account.
-- Invariant: an account has a way in or is closed.
create or replace function close_account_without_way_in(p_account uuid, p_providers text[], p_reason text, p_request text)
returns boolean language plpgsql as $$
begin
    if has_way_in(p_account, p_providers) then
        return false;
    end if;
    perform close_account(p_account, p_reason, p_request);
    return true;
end $$;
