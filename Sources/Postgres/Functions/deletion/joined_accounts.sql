-- The accounts that were merged into an account, directly or indirectly. Callers compare an id with an array of them:
-- `id = … or id in (select …)` would read every account.
-- Locks: none
-- Invariant: no row refers to a deleted account.
create or replace function joined_accounts(p_account uuid) returns setof uuid language sql stable as $$
    with recursive joined (id) as (
        select id from accounts where merged_into = p_account
        union select a.id from accounts a join joined j on a.merged_into = j.id
    )
    select id from joined;
$$;
