-- Creates an account for an operator or a back end (`p_by`), which vouches for the addresses in `p_proved`: the keys of
-- addresses and numbers. `p_state` has the form of add_signed_up_account. The message has a temporary password, or is
-- null.
-- Locks: *lock_claimants, *add_signed_up_account, *put_in_password, *clear_unproved_claims, *clear_unproved_numbers, account_emails,
-- *forget_address_changes, *end_guest, account_phones, accounts.
-- Outcomes: email_in_use, phone_in_use, created, *add_signed_up_account
create or replace function create_account(
    p_account uuid, p_state jsonb, p_proved text[], p_password_state text, p_message outgoing_message, p_by text, p_client text, p_request text)
returns text language plpgsql as $$
declare
    refused text;
begin
    perform lock_claimants(p_proved);
    if exists (select from account_emails where address_key = p_state->>'email_key' and proved_at is not null and not is_relay) then
        return 'email_in_use';
    end if;
    if exists (select from account_phones where phone_key = p_state->>'phone' and proved_at is not null) then
        return 'phone_in_use';
    end if;
    refused := add_signed_up_account(p_account, p_state - 'password', null, p_client, p_request);
    if refused is not null then
        return refused;
    end if;
    if p_state->'password' is not null then
        perform put_in_password(p_account, jsonb_populate_record(null::password_verifiers, p_state->'password'), p_by);
    end if;
    if p_state->>'email_key' = any (p_proved) then
        perform clear_unproved_claims(p_state->>'email_key', p_account, p_client, p_request);
    end if;
    if p_state->>'phone' = any (p_proved) then
        perform clear_unproved_numbers(p_state->>'phone', p_account, p_client, p_request);
    end if;
    update account_emails set source = p_by, proved_at = case when address_key = any (p_proved) then now() end where account_id = p_account;
    update account_phones set source = p_by, proved_at = case when phone_key = any (p_proved) then now() end where account_id = p_account;
    update accounts set password_state = p_password_state where id = p_account and password_state <> p_password_state;
    insert into audit_inbox (action, outcome, reason, account_id, client_id, request_id)
    values ('account_created', 'done', 'operator', p_account, p_client, p_request);
    perform enqueue(p_message);
    return 'created';
end $$;
