-- Stores a name that a provider sends later than at the first sign-in, if neither the identity nor the account has one.
-- A name that the user removed is not restored, because the identity keeps it.
-- Locks: accounts (for no key update skip locked), identities. It waits for no other sign-in that shares the account: two
-- that both waited would deadlock.
create or replace function fill_display_name(p_account uuid, p_identity uuid, p_name text) returns void language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for no key update skip locked;
    if found then
        update identities set display_name = p_name where id = p_identity and display_name is null;
        update accounts set display_name = p_name where id = p_account and display_name is null;
    end if;
end $$;
