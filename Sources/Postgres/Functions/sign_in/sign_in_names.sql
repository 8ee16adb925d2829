-- The sign-in names of an account, as account_to_sign_in finds them.
-- Locks: none
create or replace function sign_in_names(p_account uuid) returns text[] language plpgsql stable as $$
begin
    return array(select address from account_emails where account_id = p_account and (proved_at is not null and not is_relay or source = 'activated')
                 union all select phone_key from account_phones where account_id = p_account and (proved_at is not null or source = 'activated')
                 union all select user_name from accounts where id = p_account and user_name is not null);
end $$;
