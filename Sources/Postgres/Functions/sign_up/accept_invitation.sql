-- Spends an invitation. Its bearer reads the mailbox, so the address counts as proved, and as the user's own: other accounts
-- lose their claims on it. An invitation ends where another account has proved the address, or where its own account lost it
-- or has got a sign-in method since: the link would reset that.
-- Locks: advisory address, accounts (for update), *lock_sessions, invitations, *clear_unproved_claims, account_emails,
-- *forget_address_changes, *end_guest. The account and those that lose the address are locked by id, in one statement.
-- Outcomes: invitation_invalid, accepted
-- Invariant: a single-use value is used once.
create or replace function accept_invitation(
    p_digest bytea, p_address text, p_request text, out outcome text, out mailbox text, out app text)
language plpgsql as $$
declare
    held record;
begin
    select * into held from invitations where digest = p_digest and expires_at > now();
    if not found then
        outcome := 'invitation_invalid';
        return;
    end if;
    perform pg_advisory_xact_lock(hashtextextended(held.address_key, 2));
    perform 1 from accounts
      where id in (select held.account_id
                   union all select e.account_id from account_emails e where e.address_key = held.address_key and e.proved_at is null)
      order by id for update;
    perform lock_sessions(array(select e.account_id from account_emails e where e.address_key = held.address_key and e.proved_at is null
                                                                                and e.account_id <> held.account_id));
    delete from invitations where digest = p_digest;
    if not found or not exists (select from accounts where id = held.account_id and status = 'active')
       or has_own_method(held.account_id)
       or coalesce(account_by_name('email', held.address_key), held.account_id) <> held.account_id then
        outcome := 'invitation_invalid';
        return;
    end if;
    perform clear_unproved_claims(held.address_key, held.account_id, held.client_id, p_request);
    update account_emails e set source = 'person', proved_at = coalesce(e.proved_at, now())
     where e.account_id = held.account_id and e.address_key = held.address_key and not e.is_relay
    returning e.address into mailbox;
    if not found then
        outcome := 'invitation_invalid';
        return;
    end if;
    insert into audit_inbox (action, outcome, account_id, client_id, address, request_id)
    values ('invitation_accepted', 'done', held.account_id, held.client_id, p_address, p_request);
    perform pg_notify('gateway_sessions', 'account:' || held.account_id);
    app := held.client_id;
    outcome := 'accepted';
end $$;
