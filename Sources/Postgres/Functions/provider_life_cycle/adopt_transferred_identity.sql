-- Moves the identity with this transfer subject to its new subject, after an unknown subject proved the transfer
-- subject. `p_email`: a new relay address.
-- Locks: *lock_identity, accounts (for update), *rewrite_identity. The account is found by the
-- transfer subject. The identity is read again under its lock, because it may have moved.
-- Outcomes: unknown, adopted, conflict
-- Invariant: one identity has one account.
create or replace function adopt_transferred_identity(
    p_provider text, p_old_realm text, p_transfer_subject text, p_realm text, p_subject text, p_email text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    who identities;
begin
    perform lock_identity(p_provider, p_realm, p_subject);
    loop   -- until the identity's owner is locked
        select * into who from identities where provider = p_provider and transfer_subject = p_transfer_subject;
        if not found then
            return 'unknown';
        end if;
        perform 1 from accounts where id = who.account_id for update;
        exit when exists (select from identities where id = who.id and account_id = who.account_id and realm = who.realm);
    end loop;
    if who.realm = p_realm and who.subject = p_subject then
        return 'adopted';   -- by a concurrent sign-in
    end if;
    if who.realm <> p_old_realm or who.transfer_realm <> p_realm
       or exists (select from identities where provider = p_provider and realm = p_realm and subject = p_subject) then
        insert into audit_inbox (action, outcome, reason, account_id, identity_id, provider, address, request_id)
        values ('identity_transferred', 'refused', 'account_conflict', who.account_id, who.id, p_provider, p_address, p_request);
        return 'conflict';
    end if;
    perform rewrite_identity(who, p_realm, p_subject, p_email, 'signed_in', p_address, p_request);
    return 'adopted';
end $$;
