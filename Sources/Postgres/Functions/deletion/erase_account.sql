-- Deletes an account and all its data, and notifies its proved addresses, which remain only in that message. Every
-- server drops its sessions. The audit log keeps the account id.
-- Locks: accounts (for update), outbox, flows, *lock_sessions, sessions, identities, *queue_provider_revocations,
-- *forget_address_changes, *leave_identity_sessions, search_terms, *take_sessions_along. The caller holds the erasures (lock_erasures). The
-- accounts are locked by id; other rows of the account go by cascade.
-- Outcomes: not_found, operator_account, erased
-- Invariant: no row refers to a deleted account.
create or replace function erase_account(p_account uuid, p_actor uuid, p_reason text, p_request text) returns text language plpgsql as $$
declare
    joined uuid;
begin
    -- Includes merged accounts, by id. Waits for sign-ins in progress.
    perform 1 from accounts where id = any (array(select p_account union all select joined_accounts(p_account))) order by id for update;
    perform 1 from accounts where id = p_account;
    if not found then
        return 'not_found';
    end if;
    if exists (select from operators where account_id = p_account) then
        return 'operator_account';
    end if;
    -- Merged accounts belong to the same user.
    for joined in select id from accounts where merged_into = p_account loop
        perform erase_account(joined, p_actor, p_reason, p_request);
    end loop;
    -- Messages before addresses, the lock order of settle_outgoing.
    delete from outbox where account_id = p_account;
    delete from outbox o using account_emails e
     where e.account_id = p_account and e.proved_at is not null and o.medium = 'email' and lower(o.address collate "C") = e.address_key;
    delete from outbox o using account_phones p
     where p.account_id = p_account and p.proved_at is not null and o.medium = 'sms' and lower(o.address collate "C") = p.phone_key;
    insert into outbox (id, medium, address, kind, language, client_id, detail)
    select gen_random_uuid(), 'email', e.address, 'notice.account_deleted', notice_language(p_account), newest_app(p_account), '{}'
      from account_emails e where e.account_id = p_account and e.proved_at is not null;
    insert into outbox (id, medium, address, kind, language, client_id, detail)
    select gen_random_uuid(), 'sms', number, 'notice.account_deleted', notice_language(p_account), newest_app(p_account), '{}'
      from texted_numbers(p_account, 'account_deleted') number;
    perform pg_notify('gateway_outbox', medium) from unnest('{email,sms}'::text[]) medium;
    -- Other users' flows about the account's addresses contain personal data too.
    delete from flows where account_id = p_account;
    delete from flows f using account_emails e
     where e.account_id = p_account and e.proved_at is not null and f.address_key = e.address_key;
    delete from flows f using account_phones p
     where p.account_id = p_account and p.proved_at is not null and f.address_key = p.phone_key;
    perform lock_sessions(array[p_account]);
    delete from sessions where account_id = p_account;
    -- Before the account: the trigger queues token revocations when an identity is deleted.
    delete from identities where account_id = p_account;
    delete from search_terms where account_id = p_account;
    delete from accounts where id = p_account;
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    insert into audit_inbox (action, outcome, reason, account_id, actor_id, request_id)
    values ('account_deleted', 'done', p_reason, p_account, p_actor, p_request);
    return 'erased';
end $$;
