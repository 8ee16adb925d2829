-- As may_change_factors, for a new sign-in method that its user has just proved, and for the deletion and the export of the
-- account. A guest has nothing to prove again, so its live session suffices. Never for a password, which proves nothing.
-- Locks: *may_change_factors.
-- Outcomes: null, *may_change_factors
create or replace function may_change_account(p_account uuid, p_session uuid, p_recent_seconds integer) returns text language plpgsql as $$
declare
    refused text := may_change_factors(p_account, p_session, p_recent_seconds);
begin
    if refused = 'reauth_required' and exists (select from accounts where id = p_account and guest) then
        return null;
    end if;
    return refused;
end $$;
