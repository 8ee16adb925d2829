-- The account of a sign-in name: a proved address or number, or a user name.
-- Locks: none
create or replace function account_by_name(p_kind text, p_key text) returns uuid language plpgsql stable as $$
begin
    case p_kind
    when 'email' then
        return (select account_id from account_emails where address_key = p_key and proved_at is not null and not is_relay);
    when 'phone' then
        return (select account_id from account_phones where phone_key = p_key and proved_at is not null);
    when 'user_name' then
        return (select id from accounts where user_name_key = p_key);
    else
        return null;
    end case;
end $$;
