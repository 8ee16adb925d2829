-- Changes the profile: a missing member stays, null removes it. An ended session changes nothing; the caller checks
-- that first.
-- Locks: accounts (for no key update), *apply_profile_change.
-- Invariant: an ended session stays ended.
create or replace function change_profile(p_account uuid, p_change jsonb, p_session uuid, p_client text, p_address text, p_request text)
returns void language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for no key update;
    if not session_lives(p_account, p_session) then
        return;
    end if;
    perform apply_profile_change(p_account, p_change, p_session, p_client, p_address, p_request);
end $$;
