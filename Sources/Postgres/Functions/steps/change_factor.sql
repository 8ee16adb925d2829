-- Renames a factor or makes it the default; null keeps a value. An ended session changes nothing.
-- Locks: accounts (for no key update), *set_factor.
-- Outcomes: session_ended, *set_factor
-- Invariant: an ended session stays ended.
create or replace function change_factor(p_account uuid, p_factor uuid, p_name text, p_preferred boolean, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for no key update;
    if not session_lives(p_account, p_session) then
        return 'session_ended';
    end if;
    return set_factor(p_account, p_factor, p_name, p_preferred, p_session, p_client, p_address, p_request);
end $$;
