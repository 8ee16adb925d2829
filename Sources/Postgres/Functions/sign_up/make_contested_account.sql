-- Creates the account of a proved sign-up of which the author is uncertain: with its names and its proved address alone.
-- The user sets a password through the address.
-- Locks: *add_signed_up_account, accounts.
-- Outcomes: reset_required, *add_signed_up_account
create or replace function make_contested_account(p_account uuid, p_state jsonb, p_proved_key text, p_client text, p_request text)
returns text language plpgsql as $$
declare
    refused text;
    known constant jsonb := (
        select coalesce(jsonb_object_agg(m.key, m.value), '{}') from jsonb_each(p_state) m
         where m.key in ('user_name', 'user_name_key')
            or m.key in ('email', 'email_key') and p_state->>'email_key' = p_proved_key
            or m.key = 'phone' and p_state->>'phone' = p_proved_key);
begin
    refused := add_signed_up_account(p_account, known, p_proved_key, p_client, p_request);
    if refused is not null then
        return refused;
    end if;
    update accounts set password_state = 'reset_required' where id = p_account;
    insert into audit_inbox (action, outcome, reason, account_id, client_id, request_id)
    values ('account_created', 'done', 'sign_up_contested', p_account, p_client, p_request);
    return 'reset_required';
end $$;
