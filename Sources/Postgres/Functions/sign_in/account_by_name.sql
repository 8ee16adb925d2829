-- The account of a sign-in name: a proved address or number, a user name, or the account's id.
-- Locks: none
create or replace function account_by_name(p_kind text, p_key text) returns uuid language plpgsql stable as $$
begin
    case p_kind
    when 'email' then
        return (select account_id from account_emails where address_key = p_key and proved_at is not null and not is_relay);
    when 'phone' then
        return (select account_id from account_phones where phone_key = p_key and proved_at is not null);
    when 'user_name' then
        return coalesce(
            (select id from accounts where user_name_key = p_key),
            (select id from accounts
              where id = case when p_key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_key::uuid end and status <> 'closed'));
    else
        return null;
    end case;
end $$;
