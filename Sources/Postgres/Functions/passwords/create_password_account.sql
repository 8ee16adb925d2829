-- Creates an account for an operator.
-- Locks: *lock_claimants, accounts (new), *clear_unproved_claims, account_emails (new), *forget_address_changes,
-- *end_guest, passwords (new).
-- Outcomes: email_in_use, created
create or replace function create_password_account(p_account uuid, p_address text, p_address_key text, p_display_name text, p_password password_verifiers, p_request text)
returns text language plpgsql as $$
begin
    perform lock_claimants(array[p_address_key]);
    if exists (select from account_emails where address_key = p_address_key and proved_at is not null) then
        return 'email_in_use';
    end if;
    insert into accounts (id, display_name) values (p_account, p_display_name);
    perform clear_unproved_claims(p_address_key, p_account, null, p_request);
    insert into account_emails (account_id, address_key, address, source, proved_at)
    values (p_account, p_address_key, p_address, 'operator', now());
    if (p_password).hash is not null then
        insert into passwords (account_id, hash, srp) values (p_account, (p_password).hash, (p_password).srp);
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, request_id) values ('account_created', 'done', 'operator', p_account, p_request);
    return 'created';
end $$;
