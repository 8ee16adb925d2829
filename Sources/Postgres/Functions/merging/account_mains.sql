-- The main address, number and factor of an account.
-- Locks: none
create or replace function account_mains(p_account uuid) returns jsonb language sql stable as $$
    select jsonb_build_object(
        'email', (select address_key from account_emails where account_id = p_account and is_main),
        'phone', (select phone_key from account_phones where account_id = p_account and is_main),
        'factor', (select id from factors where account_id = p_account and is_preferred),
        'passkey', (select id from passkeys where account_id = p_account and is_preferred));
$$;
