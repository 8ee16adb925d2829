-- An account and the possible former owners of its identities: merged into it, or with a common change.
-- Locks: none
create or replace function former_holders(p_account uuid) returns setof uuid language sql stable as $$
    select p_account
    union select joined_accounts(p_account)
    union select c.other_id from account_changes c where c.account_id = p_account and c.other_id is not null
    union select c.account_id from account_changes c where c.other_id = p_account;
$$;
