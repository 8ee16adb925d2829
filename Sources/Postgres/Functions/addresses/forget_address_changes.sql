-- A change of an address that waits for its code dies with every other change of how the account is opened: whoever
-- began it may not be who has the account then. Whether mail gets to an address is no such change.
-- Locks: flows. A trigger: the writer holds the account, or adds to one that it has just made.
create or replace function forget_address_changes() returns trigger language plpgsql as $$
begin
    delete from flows where kind = 'address' and account_id = coalesce(new.account_id, old.account_id);
    return null;
end $$;
