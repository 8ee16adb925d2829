-- Imports one line of a transfer: the provider's answer for a transfer subject.
-- Locks: *lock_identity, accounts (for update), *rewrite_identity. The identity is read again under the account's lock, because
-- it may have moved.
-- Outcomes: gone, done, conflict, moved
-- Invariant: one identity has one account.
create or replace function import_transferred_identity(
    p_identity uuid, p_provider text, p_transfer_subject text, p_realm text, p_subject text, p_email text, p_request text)
returns text language plpgsql as $$
declare
    who identities;
begin
    perform lock_identity(p_provider, p_realm, p_subject);
    loop   -- until the identity's owner is locked
        select * into who from identities where id = p_identity and provider = p_provider;
        if not found then
            return 'gone';
        end if;
        perform 1 from accounts where id = who.account_id for update;
        exit when exists (select from identities where id = who.id and account_id = who.account_id and realm = who.realm);
    end loop;
    if who.realm = p_realm then
        return case when who.subject = p_subject then 'done' else 'conflict' end;
    end if;
    if who.transfer_subject is distinct from p_transfer_subject
       or exists (select from identities where provider = p_provider and realm = p_realm and subject = p_subject) then
        insert into audit_inbox (action, outcome, reason, account_id, identity_id, provider, request_id)
        values ('identity_transferred', 'refused', 'account_conflict', who.account_id, who.id, p_provider, p_request);
        return 'conflict';
    end if;
    perform rewrite_identity(who, p_realm, p_subject, p_email, 'imported', null, p_request);
    return 'moved';
end $$;
