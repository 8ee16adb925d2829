-- Creates the account of a confirmed sign-up at the app `p_client`; null: at none. `p_proved_key`: the key of the
-- proved address or number, or null. Other accounts lose their unproved claims on it, with an audit row.
-- Locks: accounts, *clear_unproved_claims, account_emails (new), *forget_address_changes, *end_guest,
-- *clear_unproved_numbers, account_phones (new), passwords (new), *keep_srp_verifiers. The user name by its
-- unique key.
-- Outcomes: user_name_taken, null
create or replace function add_signed_up_account(p_account uuid, p_state jsonb, p_proved_key text, p_client text, p_request text) returns text
language plpgsql as $$
declare
    email text := coalesce(p_state->>'email', p_state->>'address');
    email_key text := coalesce(p_state->>'email_key', case when p_state ? 'address' then p_proved_key end);
    password password_verifiers := jsonb_populate_record(null::password_verifiers, p_state->'password');
begin
    insert into accounts (id, client_id, display_name, user_name, user_name_key, attributes)
    values (p_account, p_client, p_state->>'display_name', p_state->>'user_name', p_state->>'user_name_key', coalesce(p_state->'attributes', '{}'))
    on conflict (user_name_key) where user_name_key is not null do nothing;
    if not found then
        return 'user_name_taken';
    end if;
    if email is not null then
        if email_key = p_proved_key then
            perform clear_unproved_claims(email_key, p_account, p_client, p_request);
        end if;
        insert into account_emails (account_id, address_key, address, source, proved_at)
        values (p_account, email_key, email, 'person', case when email_key = p_proved_key then now() end);
    end if;
    if p_state->>'phone' is not null then
        if p_state->>'phone' = p_proved_key then
            perform clear_unproved_numbers(p_proved_key, p_account, p_client, p_request);
        end if;
        insert into account_phones (account_id, phone_key, source, proved_at)
        values (p_account, p_state->>'phone', 'person', case when p_state->>'phone' = p_proved_key then now() end);
    end if;
    if (password).hash is not null then
        insert into passwords (account_id, hash) values (p_account, (password).hash);
        perform keep_srp_verifiers(p_account, password);
    end if;
    return null;
end $$;
