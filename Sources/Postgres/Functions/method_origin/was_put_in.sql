-- Whether another person put a sign-in method into the account (is_put_in). Its holder may also add methods, so a method
-- added beside it (`beside_operator`) proves nothing about the user.
-- Locks: none
create or replace function was_put_in(p_account uuid) returns boolean language sql stable as $$
    select exists (select from identities where account_id = p_account and (is_put_in(joined_by) or is_put_in(linked_by)))
        or exists (select from passwords where account_id = p_account and is_put_in(joined_by))
        or exists (select from account_emails where account_id = p_account and (is_put_in(joined_by) or is_put_in(source)))
        or exists (select from account_phones where account_id = p_account and (is_put_in(joined_by) or is_put_in(source)))
        or exists (select from factors where account_id = p_account and is_put_in(joined_by))
        or exists (select from passkeys where account_id = p_account and is_put_in(joined_by));
$$;
