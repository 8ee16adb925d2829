-- Restores the main address, number, factor and passkey from account_mains, if the account still has them. Otherwise
-- the oldest proved address or number becomes main.
-- Locks: account_emails, *forget_address_changes, account_phones, factors, passkeys. The caller holds the account.
create or replace function set_mains(p_account uuid, p_mains jsonb) returns void language plpgsql as $$
begin
    update account_emails set is_main = false where account_id = p_account and is_main and address_key is distinct from p_mains->>'email';
    update account_emails set is_main = true where account_id = p_account and not is_main and address_key = p_mains->>'email';
    if not exists (select from account_emails where account_id = p_account and is_main) then
        update account_emails set is_main = true
         where (account_id, address_key) = (select account_id, address_key from account_emails where account_id = p_account
                                             order by proved_at nulls last, added_at, address_key limit 1);
    end if;
    update account_phones set is_main = false where account_id = p_account and is_main and phone_key is distinct from p_mains->>'phone';
    update account_phones set is_main = true where account_id = p_account and not is_main and phone_key = p_mains->>'phone';
    if not exists (select from account_phones where account_id = p_account and is_main) then
        update account_phones set is_main = true
         where (account_id, phone_key) = (select account_id, phone_key from account_phones where account_id = p_account
                                           order by proved_at nulls last, added_at, phone_key limit 1);
    end if;
    if p_mains->>'factor' is not null then
        update factors set is_preferred = false where account_id = p_account and is_preferred and id <> (p_mains->>'factor')::uuid;
        update factors set is_preferred = true where account_id = p_account and id = (p_mains->>'factor')::uuid;
    end if;
    if p_mains->>'passkey' is not null then
        update passkeys set is_preferred = false where account_id = p_account and is_preferred and id <> (p_mains->>'passkey')::uuid;
        update passkeys set is_preferred = true where account_id = p_account and id = (p_mains->>'passkey')::uuid;
    end if;
end $$;
