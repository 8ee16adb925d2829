-- Whether an account has proved an address or number. Codes go only to proved ones.
-- Locks: none
create or replace function receives(p_account uuid, p_medium text, p_address text) returns boolean language plpgsql stable as $$
begin
    if p_medium = 'email' then
        return exists (select from account_emails where account_id = p_account and address_key = lower(p_address collate "C")
                                                    and proved_at is not null and not is_relay);
    end if;
    return exists (select from account_phones where account_id = p_account and phone_key = p_address and proved_at is not null);
end $$;
