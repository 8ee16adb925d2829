-- Elects a new main address or number for an account that lost its main one. It takes the user's former preference, else
-- the oldest.
-- Locks: account_emails, *forget_address_changes, account_phones. The caller holds the account.
create or replace function elect_mains(p_account uuid) returns void language plpgsql as $$
begin
    update account_emails set is_main = true
     where (account_id, address_key) = (select account_id, address_key from account_emails where account_id = p_account
                                         order by proved_at is null, is_relay, main_since desc nulls last, added_at limit 1)
       and not exists (select from account_emails where account_id = p_account and is_main);
    update account_phones set is_main = true
     where (account_id, phone_key) = (select account_id, phone_key from account_phones where account_id = p_account
                                       order by proved_at is null, main_since desc nulls last, added_at limit 1)
       and not exists (select from account_phones where account_id = p_account and is_main);
end $$;
