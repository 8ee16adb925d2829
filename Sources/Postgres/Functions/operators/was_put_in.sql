-- Whether an operator linked, moved, merged or split a sign-in method into the account. The holder of that method may
-- also enrol a factor, so a factor enrolled beside it (`beside_operator`) proves nothing about the user.
-- Locks: none
create or replace function was_put_in(p_account uuid) returns boolean language sql stable as $$
    select exists (select from identities where account_id = p_account and (joined_by = 'operator' or linked_by = 'operator'))
        or exists (select from passwords where account_id = p_account and joined_by = 'operator')
        or exists (select from account_emails where account_id = p_account and joined_by = 'operator')
        or exists (select from account_phones where account_id = p_account and joined_by = 'operator')
        or exists (select from factors where account_id = p_account and joined_by in ('operator', 'beside_operator'))
        or exists (select from passkeys where account_id = p_account and joined_by in ('operator', 'beside_operator'));
$$;
