-- Locks an account, the accounts that it was merged into, and those that were merged into it (merge_neighbours), by id. A merge that
-- commits while this waits adds one. Then it gives the locks back and takes all of them again, in order.
-- Locks: accounts (for update). By id.
create or replace function lock_merged(p_account uuid) returns void language plpgsql as $$
declare
    wanted uuid[];
begin
    loop
        begin
            wanted := merge_neighbours(p_account);
            perform 1 from accounts where id = any (wanted) order by id for update;
            if merge_neighbours(p_account) = wanted then
                return;
            end if;
            raise exception 'accounts changed' using errcode = 'LG011';
        exception when sqlstate 'LG011' then
            null;   -- the end of the block gives the locks back
        end;
    end loop;
end $$;
