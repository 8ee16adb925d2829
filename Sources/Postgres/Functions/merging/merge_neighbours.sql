-- An account with the accounts that it was merged into (merge_chain) and those that were merged into it, by id.
-- Locks: none
create or replace function merge_neighbours(p_account uuid) returns uuid[] language sql stable as $$
    select array(select unnest(merge_chain(p_account)) union select id from accounts where merged_into = p_account order by 1);
$$;
