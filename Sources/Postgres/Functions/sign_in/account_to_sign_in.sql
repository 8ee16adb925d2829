-- The account that a password signs in to: that of account_by_name, or the one with an unproved claim that a back end
-- activated (confirm_user). The claim reads no mail of the address, and ends when another account proves it. A user id of
-- SRP stands for its account here alone: where a code is sent, the mailbox would tell which names have an account.
-- Locks: none
create or replace function account_to_sign_in(p_kind text, p_key text) returns uuid language plpgsql stable as $$
declare
    found_account uuid := account_by_name(p_kind, p_key);
begin
    if found_account is not null then
        return found_account;
    end if;
    case p_kind
    when 'email' then
        return (select account_id from account_emails where address_key = p_key and proved_at is null and source = 'activated' limit 1);
    when 'phone' then
        return (select account_id from account_phones where phone_key = p_key and proved_at is null and source = 'activated' limit 1);
    when 'user_name' then
        return (select account_id from srp_verifiers
                 where user_id = case when p_key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_key::uuid end limit 1);
    else
        return null;
    end case;
end $$;
