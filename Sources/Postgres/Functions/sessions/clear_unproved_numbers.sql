-- Removes unproved claims on a number that was proved, as clear_unproved_claims does for addresses. No session ends,
-- because an unproved number can't sign in. Returns the number of affected accounts.
-- Locks: accounts (for no key update), account_phones, *elect_mains, flows. One account after the other, by id.
create or replace function clear_unproved_numbers(p_key text, p_winner uuid, p_client text, p_request text) returns integer
language plpgsql as $$
declare
    claimant uuid;
    cleared integer := 0;
begin
    for claimant in
        select account_id from account_phones
         where phone_key = p_key and proved_at is null and account_id <> p_winner order by account_id
    loop
        perform 1 from accounts where id = claimant for no key update;
        delete from account_phones where account_id = claimant and phone_key = p_key and proved_at is null;
        continue when not found;
        cleared := cleared + 1;
        perform elect_mains(claimant);
        insert into audit_inbox (action, outcome, reason, account_id, client_id, request_id, detail)
        values ('address_claim_cleared', 'done', 'proved_by_another_account', claimant, p_client, p_request,
                jsonb_build_object('winner', p_winner, 'kind', 'phone'));
        perform pg_notify('gateway_sessions', 'account:' || claimant);
    end loop;
    delete from flows where address_key = p_key;
    return cleared;
end $$;
