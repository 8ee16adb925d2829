-- Locks an account and the accounts that it was merged into (merge_chain), by id. A merge that commits while this waits makes
-- the chain longer. Then it gives the locks back and takes all of them again, in order.
-- Locks: accounts (for update). By id.
create or replace function lock_merge_chain(p_account uuid) returns void language plpgsql as $$
declare
    chain uuid[];
begin
    loop
        begin
            chain := merge_chain(p_account);
            perform 1 from accounts where id = any (chain) order by id for update;
            if merge_chain(p_account) = chain then
                return;
            end if;
            raise exception 'accounts changed' using errcode = 'LG011';
        exception when sqlstate 'LG011' then
            null;   -- the end of the block gives the locks back
        end;
    end loop;
end $$;
