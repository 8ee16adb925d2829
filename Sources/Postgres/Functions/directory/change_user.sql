-- Changes the profile of an account for a back end: a missing member stays, null removes it.
-- Locks: accounts (for no key update), *apply_profile_change.
-- Outcomes: not_found, changed
create or replace function change_user(p_account uuid, p_change jsonb, p_client text, p_address text, p_request text) returns text
language plpgsql as $$
begin
    perform from accounts where id = p_account and status = 'active' for no key update;
    if not found then
        return 'not_found';
    end if;
    perform apply_profile_change(p_account, p_change, null, p_client, p_address, p_request);
    return 'changed';
end $$;
