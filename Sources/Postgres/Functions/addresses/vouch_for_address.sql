-- Makes the main address or number of an account count as proved, because a back end vouches for it. Other accounts lose
-- their claims on it.
-- Locks: advisory address, accounts (for update), *lock_sessions, *clear_unproved_claims, account_emails,
-- *forget_address_changes, *end_guest, *clear_unproved_numbers, account_phones.
-- The account and those that lose the address are locked by id, in one statement.
-- Outcomes: not_found, identity_in_use, proved
create or replace function vouch_for_address(p_account uuid, p_kind text, p_client text, p_request text) returns text language plpgsql as $$
declare
    vouched constant text := case p_kind
        when 'email' then (select address_key from account_emails where account_id = p_account and is_main and not is_relay)
        else (select phone_key from account_phones where account_id = p_account and is_main) end;
begin
    perform pg_advisory_xact_lock(hashtextextended(vouched, 2));
    perform 1 from accounts
      where id in (select p_account
                   union all select account_id from account_emails where address_key = vouched and proved_at is null
                   union all select account_id from account_phones where phone_key = vouched and proved_at is null)
      order by id for update;
    perform lock_sessions(array(select account_id from account_emails where address_key = vouched and proved_at is null));
    if vouched is null or not exists (select from accounts where id = p_account and status = 'active') then
        return 'not_found';
    end if;
    if account_by_name(p_kind, vouched) is not null then
        return case when account_by_name(p_kind, vouched) = p_account then 'proved' else 'identity_in_use' end;
    end if;
    if p_kind = 'email' then
        perform clear_unproved_claims(vouched, p_account, p_client, p_request);
        update account_emails set source = 'back_end', proved_at = now()
         where account_id = p_account and address_key = vouched;
    else
        perform clear_unproved_numbers(vouched, p_account, p_client, p_request);
        update account_phones set source = 'back_end', proved_at = now()
         where account_id = p_account and phone_key = vouched;
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, client_id, request_id)
    values ('address_added', 'done', p_kind, p_account, p_client, p_request);
    perform notify_account(p_account, 'address_added', jsonb_build_object('kind', p_kind), p_client);
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    return 'proved';
end $$;
