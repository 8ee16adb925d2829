-- Ends the guest mark of an account that gets a credential, with an audit row. Someone who used the guest's device before may
-- hold copies of its tokens, or may have prepared a secret. So everything ends that the account had: its sessions, its flows, its
-- password and its devices. A removal that the sweep of guests has prepared ends too: it has no waiting time, unlike every
-- other pending deletion.
-- Locks: accounts, passwords, *end_account_access. A trigger: the writer holds the
-- account, or adds to one that it has just made.
-- Invariant: an open account has a usable sign-in method; an ended session stays ended.
create or replace function end_guest() returns trigger language plpgsql as $$
begin
    update accounts a set guest = false, changed_at = now(),
           deletion_requested_at = case when a.deletion_due_at > a.deletion_requested_at then a.deletion_requested_at end,
           deletion_due_at = case when a.deletion_due_at > a.deletion_requested_at then a.deletion_due_at end
     where a.id = new.account_id and a.guest;
    if found then
        delete from passwords where account_id = new.account_id;
        perform end_account_access(new.account_id, 'guest_upgraded');
        insert into audit_inbox (action, outcome, reason, account_id)
        values ('guest_upgraded', 'done',
                case tg_table_name when 'identities' then 'identity' when 'passkeys' then 'passkey'
                                   when 'account_emails' then 'email' else 'phone' end,
                new.account_id);
    end if;
    return null;
end $$;
