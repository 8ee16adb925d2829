-- Prefers a factor of an account for a back end, or no longer.
-- Locks: accounts (for no key update), *set_factor.
-- Outcomes: not_found, *set_factor
create or replace function prefer_user_factor(p_account uuid, p_factor uuid, p_preferred boolean, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    perform from accounts where id = p_account and status = 'active' for no key update;
    if not found then
        return 'not_found';
    end if;
    return set_factor(p_account, p_factor, null, p_preferred, null, p_client, p_address, p_request);
end $$;
