-- Deletes pending address changes when the sign-in methods of an account change, because the new holder may be someone
-- else. A change of deliverability deletes nothing.
-- Locks: flows. A trigger: the writer holds the account, or adds to one that it has just made.
create or replace function forget_address_changes() returns trigger language plpgsql as $$
begin
    delete from flows where kind = 'address' and account_id = coalesce(new.account_id, old.account_id);
    return null;
end $$;
