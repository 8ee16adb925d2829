-- An account, then the accounts that it was merged into, the nearest one first.
-- Locks: none
create or replace function merge_chain(p_account uuid) returns uuid[] language sql stable as $$
    with recursive chain (id, next_id, place) as (
        select id, merged_into, 1 from accounts where id = p_account
        union all
        select a.id, a.merged_into, c.place + 1 from chain c join accounts a on a.id = c.next_id where c.place < 100
    )
    select coalesce(array_agg(id order by place), '{}') from chain;
$$;
