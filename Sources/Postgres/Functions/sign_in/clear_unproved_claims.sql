-- Removes unproved claims on an address that was proved. Each claimant loses the address, its sessions and the flows
-- about it. It keeps a password that a user name or another proved address uses. An account without a sign-in method is
-- closed; unavailable providers still count. Another address becomes main.
-- Locks: accounts (for update), account_emails, *forget_address_changes, *elect_mains, passwords, *end_account_access,
-- *close_account, flows. One account after the other, by id. The caller holds them (lock_claimants).
-- Invariant: an open account has a usable sign-in method.
create or replace function clear_unproved_claims(p_address_key text, p_winner uuid, p_client text, p_request text) returns integer
language plpgsql as $$
declare
    claimant uuid;
    cleared integer := 0;
begin
    for claimant in
        select account_id from account_emails
         where address_key = p_address_key and proved_at is null and account_id <> p_winner order by account_id
    loop
        -- The account before its rows, as everywhere. This also waits for sign-ins in progress.
        perform 1 from accounts where id = claimant for update;
        delete from account_emails where account_id = claimant and address_key = p_address_key and proved_at is null;
        continue when not found;
        cleared := cleared + 1;
        perform elect_mains(claimant);
        if not has_sign_in_method(claimant, array['password']) then
            delete from passwords where account_id = claimant;
        end if;
        perform end_account_access(claimant, 'address_claim_lost');
        insert into audit_inbox (action, outcome, reason, account_id, client_id, request_id, detail)
        values ('address_claim_cleared', 'done', 'proved_by_another_account', claimant, p_client, p_request,
                jsonb_build_object('winner', p_winner));
        if not exists (select from identities i where i.account_id = claimant)
           and not has_sign_in_method(claimant, array['password', 'passkey', 'email_otp', 'sms_otp'])
        then
            perform close_account(claimant, 'address_claim_lost', p_request);
        end if;
    end loop;
    delete from flows where address_key = p_address_key;
    return cleared;
end $$;
