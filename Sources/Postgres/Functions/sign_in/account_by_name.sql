-- The account of a sign-in name: a proved address or number, a user name, or the account's id.
-- Locks: none
create or replace function account_by_name(p_kind text, p_key text) returns uuid language plpgsql stable as $$
declare
    found_account uuid;
begin
    case p_kind
    when 'email' then
        return (select account_id from account_emails where address_key = p_key and proved_at is not null and not is_relay);
    when 'phone' then
        return (select account_id from account_phones where phone_key = p_key and proved_at is not null);
    when 'user_name' then
        select id into found_account from accounts where user_name_key = p_key;
        if found_account is null and p_key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
            select id into found_account from accounts where id = p_key::uuid and status <> 'closed';
        end if;
        return found_account;
    else
        return null;
    end case;
end $$;
